const WIDTH = 110;
const CLAUSES = ['WITH', 'SELECT', 'FROM', 'LEFT JOIN', 'WHERE', 'ORDER BY', 'OFFSET', 'LIMIT'];
const CLAUSE = new RegExp(`^(${CLAUSES.join('|')})$`);

/** A token as written, or a part in parentheses. `isApart` is true if white space precedes the piece. */
interface Piece {
  readonly text: string;
  readonly isApart: boolean;
  readonly inner?: readonly Piece[];
}

/**
 * Formats a statement. Each clause starts on a new line, and long clauses are divided into lines. Changes only white
 * space.
 */
export function formatSql(statement: string): string {
  const tokens = [
    ...statement.matchAll(/(\s*)('(?:[^']|'')*'|"[^"]*"|LEFT JOIN|ORDER BY|[(),]|[^\s'"(),]+)/g),
  ];
  let at = 0;
  const read = (): Piece[] => {
    const pieces: Piece[] = [];
    for (let token = tokens[at++]; token !== undefined && token[2] !== ')'; token = tokens[at++]) {
      const piece = { text: token[2] ?? '', isApart: token[1] !== '' };
      pieces.push(piece.text === '(' ? { ...piece, inner: read() } : piece);
    }
    return pieces;
  };
  return write(read(), 0);
}

function write(pieces: readonly Piece[], indent: number): string {
  const clauses = split(pieces, ({ text }) => CLAUSE.test(text));
  return clauses.map((clause) => writeParts(clause, indent)).join(newLine(indent));
}

/**
 * Writes pieces in one line if they fit. Otherwise splits them at commas. Without commas, splits them at AND and OR, or
 * else inside their parentheses.
 */
function writeParts(pieces: readonly Piece[], indent: number): string {
  const line = flat(pieces);
  const hasQuery = pieces.some(({ inner }) => inner?.some(({ text }) => text === 'SELECT'));
  if (!hasQuery && indent + line.length <= WIDTH) return line;
  // The lines of a clause are indented below its keyword. Inside parentheses all lines have the same indentation.
  const inside = CLAUSE.test(first(pieces)) ? indent + 2 : indent;
  for (const separator of [/^,$/, /^(AND|OR)$/]) {
    const parts = split(pieces, ({ text }) => separator.test(text));
    if (parts.length === 1) continue;
    return parts.map((part) => opened(part, inside)).join(newLine(inside));
  }
  return opened(pieces, indent);
}

function opened(pieces: readonly Piece[], indent: number): string {
  if (
    indent + flat(pieces).length <= WIDTH &&
    !pieces.some(({ inner }) => inner && CLAUSE.test(first(inner)))
  ) {
    return flat(pieces);
  }
  return pieces
    .map((piece, index) => {
      const before = piece.isApart && index > 0 ? ' ' : '';
      if (piece.inner === undefined) return before + piece.text;
      if (flat([piece]).length <= WIDTH / 2) return before + flat([piece]).trim();
      return `${before}(${newLine(indent + 2)}${write(piece.inner, indent + 2)}${newLine(indent)})`;
    })
    .join('');
}

const first = (pieces: readonly Piece[]): string => pieces[0]?.text ?? '';
const newLine = (indent: number): string => `\n${' '.repeat(indent)}`;

function flat(pieces: readonly Piece[]): string {
  return pieces
    .map(({ text, isApart, inner }, index) => {
      const before = isApart && index > 0 ? ' ' : '';
      return before + (inner === undefined ? text : `(${flat(inner)})`);
    })
    .join('');
}

/** Splits pieces into parts. A comma ends a part; a keyword starts a new part. */
function split(pieces: readonly Piece[], parts: (piece: Piece) => boolean): readonly (readonly Piece[])[] {
  const found: Piece[][] = [[]];
  for (const piece of pieces) {
    const isComma = piece.text === ',';
    if (parts(piece) && !isComma && found.at(-1)?.length !== 0) found.push([]);
    found.at(-1)?.push(piece);
    if (parts(piece) && isComma) found.push([]);
  }
  return found.filter((part) => part.length > 0);
}
