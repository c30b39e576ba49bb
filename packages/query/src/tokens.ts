import { countCharacters, excerpt } from './characters.js';
import { type ErrorWord, phrase, QueryOptionError, type QueryPhrase, quote } from './query-option-error.js';

const MARKS = ['(', ')', ',', '-', '*'] as const;

type Mark = (typeof MARKS)[number];
type TokenKind = 'word' | 'number' | 'text' | 'openText' | Mark | 'unreadable' | 'end';

/** A token as written. White space is not a token. */
export interface Token {
  /**
   * The kind. `number` is anything that starts like a number (even `1x`), `openText` a text without its closing quote.
   */
  readonly kind: TokenKind;
  readonly text: string;
  /** Start of the token: index in UTF-16 code units. */
  readonly offset: number;
  /** Start of the token for a client: 1-based, in code points. */
  readonly position: number;
}

/**
 * The separators that a word may contain. `dotted`: dots, as in `Product.Name`; `path`: dots or slashes between names.
 */
type WordStyle = 'plain' | 'dotted' | 'path';

/**
 * Returns the pattern of all tokens. Its alternatives exclude each other, so matching never backtracks, and takes time
 * linear in the text.
 */
const alternatives = (word: string): RegExp =>
  new RegExp(
    [
      '(?<space>\\s+)',
      `(?<word>${word})`,
      '(?<number>-?[0-9](?:[eE][+-](?=[0-9])|[A-Za-z0-9_.])*)',
      "(?<text>'(?:[^']+|'')*)(?<close>'?)",
      '(?<mark>[(),*-])',
      '.',
    ].join('|'),
    'gsu',
  );

const patterns: Readonly<Record<WordStyle, RegExp>> = {
  plain: alternatives('[A-Za-z_][A-Za-z0-9_]*'),
  dotted: alternatives('[A-Za-z_][A-Za-z0-9_.]*'),
  path: alternatives('[A-Za-z_][A-Za-z0-9_]*(?:[./][A-Za-z_][A-Za-z0-9_]*)*'),
};

interface Tokens {
  readonly tokens: readonly Token[];
  /** The end of the text, as a token of kind `end`. */
  readonly end: Token;
}

/**
 * Splits an expression into tokens, without white space. Never fails: a character that fits no token becomes one of
 * kind `unreadable`.
 */
function tokenize(text: string, style: WordStyle): Tokens {
  const tokens: Token[] = [];
  let position = 1;
  for (const match of text.matchAll(patterns[style])) {
    const kind = kindOf(match.groups ?? {});
    if (kind !== 'space') {
      tokens.push({ kind, text: match[0], offset: match.index, position });
    }
    position += countCharacters(match[0]);
  }
  return { tokens, end: { kind: 'end', text: '', offset: text.length, position } };
}

/** Replaces decimal commas with points. Commas in a text or a list stay: `in (1,2)`, `substring(Name,1,2)`. */
export function withDecimalPoints(filter: string): string {
  const { tokens } = tokenize(filter, 'path');
  const isList: boolean[] = [];
  const points = new Set<number>();
  tokens.forEach(({ kind, offset }, index) => {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (kind === '(') isList.push(before?.kind === 'word' && !/^(?:and|or|not)$/i.test(before.text));
    if (kind === ')') isList.pop();
    const isBetweenDigits =
      before?.kind === 'number' &&
      /[0-9]$/.test(before.text) &&
      before.offset + before.text.length === offset &&
      after?.kind === 'number' &&
      after.offset === offset + 1 &&
      !after.text.startsWith('-');
    if (kind === ',' && isBetweenDigits && isList.at(-1) !== true) points.add(offset);
  });
  return Array.from({ length: filter.length }, (_, at) => (points.has(at) ? '.' : filter[at])).join('');
}

function kindOf(groups: Record<string, string | undefined>): TokenKind | 'space' {
  const { space, word, number, text, close, mark } = groups;
  if (text !== undefined) {
    return close === "'" ? 'text' : 'openText';
  }
  if (mark !== undefined) return MARKS.find((known) => known === mark) ?? 'unreadable';
  if (space !== undefined) return 'space';
  if (word !== undefined) return 'word';
  return number === undefined ? 'unreadable' : 'number';
}

/** The parameters whose values are expressions. */
type ExpressionParameter = '$filter' | '$orderby' | '$select' | '$expand';

/** The error for an unexpected token, with the expected tokens. */
export function syntaxError(
  parameter: ExpressionParameter,
  found: Pick<Token, 'text' | 'position'>,
  expected: readonly ErrorWord[],
): QueryOptionError {
  const byText = new Map(expected.map((word) => [JSON.stringify(word), word]));
  return new QueryOptionError('syntaxError', {
    parameter,
    position: String(found.position),
    found: found.text === '' ? [phrase('end of text')] : excerpt(found.text),
    expected: [...byText.values()],
  });
}

/** The error for an expression above a limit. */
export function expressionTooLarge(parameter: string, measure: QueryPhrase, limit: number): QueryOptionError {
  return new QueryOptionError('expressionTooLarge', {
    parameter,
    measure: [phrase(measure)],
    limit: String(limit),
  });
}

/**
 * Reads the tokens of one expression. It remembers which tokens were tried at the current position, so that an error
 * lists everything that the grammar allows there.
 */
export class TokenReader {
  readonly parameter: ExpressionParameter;
  readonly #tokens: Tokens;
  #index = 0;
  #tried: ErrorWord[] = [];

  /** The reader starts at the first token of the text. */
  constructor(parameter: ExpressionParameter, text: string, style: WordStyle) {
    this.parameter = parameter;
    this.#tokens = tokenize(text, style);
  }

  /** Returns the current token, or the next one, without taking it. */
  peek(ahead: 0 | 1 = 0): Token {
    return this.#tokens.tokens[this.#index + ahead] ?? this.#tokens.end;
  }

  /** True if white space or nothing precedes the current token. */
  isApart(): boolean {
    const before = this.#tokens.tokens[this.#index - 1];
    const current = this.peek();
    return (
      before === undefined || current.kind === 'end' || before.offset + before.text.length < current.offset
    );
  }

  /** The index after the last token that was taken. */
  readUpTo(): number {
    const last = this.#tokens.tokens[this.#index - 1];
    return last === undefined ? 0 : last.offset + last.text.length;
  }

  /** Takes the current token. */
  take(): Token {
    const token = this.peek();
    this.#index += 1;
    this.#tried = [];
    return token;
  }

  /** Takes the current token if it is of this kind. Errors call the expected token `name`. */
  accept(kind: TokenKind, name: ErrorWord): Token | undefined {
    if (this.peek().kind === kind) return this.take();
    this.#tried.push(name);
    return undefined;
  }

  acceptMark(mark: Mark): Token | undefined {
    return this.accept(mark, quote(mark));
  }

  /** Takes the current token if it is one of these words, in any case. */
  acceptKeyword<Keyword extends string>(keywords: readonly Keyword[]): Keyword | undefined {
    const { kind, text } = this.peek();
    const word = text.toLowerCase();
    const keyword = kind === 'word' ? keywords.find((candidate) => candidate === word) : undefined;
    if (keyword === undefined) {
      this.#tried.push(...keywords.map(quote));
      return undefined;
    }
    this.take();
    return keyword;
  }

  /** Takes the mark; throws a syntaxError if it is missing. */
  expectMark(mark: Mark): void {
    if (this.acceptMark(mark) === undefined) throw this.unexpected();
  }

  /** Throws a syntaxError unless the text ends here. */
  expectEnd(): void {
    if (this.peek().kind !== 'end') {
      throw this.unexpected(phrase('end of text'));
    }
  }

  /** The syntaxError for the current token; it lists these tokens and the tokens that were tried as expected. */
  unexpected(...alsoExpected: readonly ErrorWord[]): QueryOptionError {
    return syntaxError(this.parameter, this.peek(), [...this.#tried, ...alsoExpected]);
  }
}
