import { columnsOf, ImportError, type Mapping } from './mapping.js';
import type { Row, TableFile } from './table-file.js';

/** Number of rows from which headings, the decimal sign and formats of dates are recognised. */
const SAMPLE_ROWS = 1_000;
const SAMPLE_CHARACTERS = 4_000_000;
/** Headings are looked for in the first rows; exports have titles above them. */
const MAX_ROWS_ABOVE = 30;

/** The headings of the columns that are added to faulty rows. */
export const LINE_HEADING = 'Takt: line';
export const PROBLEM_HEADING = 'Takt: problem';

export interface Layout {
  /** The headings in the order of the columns. One that occurs several times has its place appended, as in `Time (2)`. */
  readonly headings: readonly string[];
  /** The last line of the headings; 0 if there are none. */
  readonly headingLine: number;
  readonly sample: readonly Row[];
  /** Returns the index of a column. Throws an ImportError if there is no such column. */
  readonly indexOf: (column: string) => number;
}

/** Finds the headings of a file: where the mapping says, or in the first line that has all columns of the mapping. */
export async function findLayout(
  file: TableFile,
  mapping: Pick<Mapping, 'file' | 'columns' | 'where'>,
): Promise<Layout> {
  const rows = await readSample(file);
  const { header } = mapping.file;
  // A corrected file of faulty rows has its headings in the first line, whatever the mapping says about the export.
  if (rows[0]?.cells.includes(PROBLEM_HEADING)) return atLines(file, rows, [rows[0].line]);
  if (header === 'none') {
    const widest = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
    return layoutOf(
      file,
      Array.from({ length: widest }, (_, place) => String(place + 1)),
      0,
      rows,
    );
  }
  if (header !== 'auto') return atLines(file, rows, [header].flat());
  const wanted = [...columnsOf(mapping)];
  const candidates = rows
    .slice(0, MAX_ROWS_ABOVE)
    .flatMap(({ line }, place) => [
      [line],
      ...(rows[place + 1] === undefined ? [] : [[line, rows[place + 1]?.line ?? 0]]),
    ])
    .map((lines) => atLines(file, rows, lines));
  const missing = candidates.map(({ headings }) => wanted.filter((name) => find(headings, name) < 0));
  const fewest = Math.min(...missing.map(({ length }) => length));
  const best = missing.findIndex(({ length }) => length === fewest);
  const [layout, absent = []] = [candidates[best], missing[best]];
  if (layout === undefined || absent.length === wanted.length) {
    throw new ImportError(
      `${file.name} has no line with the headings ${wanted.join(', ')}: set file.header to their line`,
    );
  }
  for (const name of absent) layout.indexOf(name);
  return layout;
}

export async function readSample(file: TableFile): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let characters = 0;
  for await (const row of file.rows()) {
    rows.push(row);
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (rows.length === SAMPLE_ROWS || characters > SAMPLE_CHARACTERS) break;
  }
  if (rows.length === 0) throw new ImportError(`${file.name} holds no rows`);
  return rows;
}

/** The layout with headings in these lines. Of several lines, the words are joined; an upper one counts until the next. */
export function atLines(
  file: Pick<TableFile, 'name'>,
  rows: readonly Row[],
  lines: readonly number[],
): Layout {
  const found = lines.map((wanted) => {
    const row = rows.find(({ line }) => line === wanted);
    if (row === undefined) throw new ImportError(`${file.name} has no headings in line ${wanted}`);
    return row.cells;
  });
  const width = Math.max(...found.map(({ length }) => length));
  const parts = found.map((cells, depth) => {
    let last = '';
    return Array.from({ length: width }, (_, column) => {
      const cell = cells[column] ?? '';
      last = cell === '' && depth < lines.length - 1 ? last : cell;
      return last;
    });
  });
  const joined = Array.from({ length: width }, (_, column) =>
    parts
      .map((words) => words[column] ?? '')
      .filter((word) => word !== '')
      .join(' '),
  );
  const last = Math.max(...lines);
  return layoutOf(
    file,
    numbered(joined),
    last,
    rows.filter(({ line }) => line > last),
  );
}

function numbered(headings: readonly string[]): readonly string[] {
  return headings.map((heading, place) => {
    const same = headings.filter((other) => other === heading).length;
    const before = headings.slice(0, place).filter((other) => other === heading).length;
    return same > 1 && heading !== '' ? `${heading} (${before + 1})` : heading;
  });
}

function layoutOf(
  file: Pick<TableFile, 'name'>,
  headings: readonly string[],
  headingLine: number,
  sample: readonly Row[],
): Layout {
  const indexOf = (column: string) => {
    const index = find(headings, column);
    if (index >= 0) return index;
    const hint =
      find(headings, `${column} (1)`) >= 0
        ? `: it occurs several times, so name "${column} (1)" or "${column} (2)"`
        : '';
    throw new ImportError(
      `${file.name} has no column "${column}"${
        hint ||
        `; it has ${headings
          .filter(Boolean)
          .map((name) => `"${name}"`)
          .join(', ')}`
      }`,
    );
  };
  return { headings, headingLine, sample, indexOf };
}

/** Headings are compared without regard to case and blanks, unless one is exactly the same. -1 if there is none, or several. */
function find(headings: readonly string[], column: string): number {
  const exact = headings.indexOf(column);
  if (exact >= 0) return exact;
  const places = headings.flatMap((heading, place) =>
    heading !== '' && folded(heading) === folded(column) ? [place] : [],
  );
  return places.length === 1 ? (places[0] ?? -1) : -1;
}

export const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
