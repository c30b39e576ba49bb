import { countCharacters, excerpt } from './characters.js';
import { type ErrorWord, phrase, QueryOptionError, type QueryPhrase, quote } from './query-option-error.js';
import { type NumberStyle, readTypedNumber, TYPED_NUMBER } from './typed-numbers.js';

const MARKS = ['(', ')', ',', '-', '*'] as const;

type Mark = (typeof MARKS)[number];
type TokenKind = 'word' | 'number' | 'text' | 'openText' | Mark | 'unreadable' | 'end';

/** A token of an expression, as the client wrote it. White space is not a token. */
export interface Token {
  /**
   * The kind of the token. `number` is anything that starts like a number, even `1x`. `openText` is a text whose
   * closing quote is missing.
   */
  readonly kind: TokenKind;
  readonly text: string;
  /** The place where the token starts, as an index in UTF-16 code units. */
  readonly offset: number;
  /** The place where the token starts, as clients count: in code points from 1. */
  readonly position: number;
}

/**
 * The separators that a word may contain. `plain`: none. `dotted`: dots, as in `Product.Name`. `path`: dots or slashes
 * between names.
 */
type WordStyle = 'plain' | 'dotted' | 'path';

/**
 * Returns the pattern that matches any token. At most one alternative of the pattern matches at any place. So matching
 * never backtracks, and the time grows only linearly with the text.
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

/**
 * Splits an expression into tokens, without the white space, one at a time: an expression that breaks the grammar early
 * is not read to its end. The last token is `end`. This never fails: a character that fits no token becomes a token of
 * the kind `unreadable`.
 */
function* tokenize(text: string, style: WordStyle): Generator<Token, void, void> {
  let position = 1;
  for (const match of text.matchAll(patterns[style])) {
    const kind = kindOf(match.groups ?? {});
    if (kind !== 'space') yield { kind, text: match[0], offset: match.index, position };
    position += countCharacters(match[0]);
  }
  yield { kind: 'end', text: '', offset: text.length, position };
}

/**
 * Replaces numbers that people typed in the way of their language by those of the grammar: 1,5 by 1.5, and in English
 * 1,000 by 1000. A number with a single point already is one of the grammar. A comma in a text or in a list stays:
 * `in (1,2)`, `substring(Name,1,2)`.
 */
export function withPlainNumbers(filter: string, style: NumberStyle): string {
  const tokens = [...tokenize(filter, 'path')];
  const isList: boolean[] = [];
  let plain = '';
  /** The end of the last number that was replaced, and of the last one that was read. */
  let [end, readTo] = [0, 0];
  tokens.forEach(({ kind, text, offset }, index) => {
    const before = tokens[index - 1];
    if (kind === '(') isList.push(before?.kind === 'word' && !/^(?:and|or|not)$/i.test(before.text));
    if (kind === ')') isList.pop();
    if (kind !== 'number' || offset < readTo || isList.at(-1) === true) return;
    const start = text.startsWith('-') ? offset + 1 : offset;
    TYPED_NUMBER.lastIndex = start;
    const [typed = ''] = TYPED_NUMBER.exec(filter) ?? [];
    readTo = start + typed.length;
    const number = plainNumber(typed, style);
    if (number === undefined) return;
    plain += filter.slice(end, start) + number;
    end = readTo;
  });
  return plain + filter.slice(end);
}

/** The number in the grammar; undefined if it already is one, or if it has no or two meanings. */
function plainNumber(typed: string, style: NumberStyle): string | undefined {
  if (/^\d*\.?\d*$/.test(typed)) return undefined;
  const number = readTypedNumber(typed, style);
  return number !== undefined && 'value' in number ? number.value : undefined;
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

type ExpressionParameter = '$filter' | '$orderby' | '$select' | '$expand';

/**
 * Makes the error for a token that the grammar does not allow at its place. The error lists the tokens that are
 * expected there.
 */
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

export function expressionTooLarge(parameter: string, measure: QueryPhrase, limit: number): QueryOptionError {
  return new QueryOptionError('expressionTooLarge', {
    parameter,
    measure: [phrase(measure)],
    limit: String(limit),
  });
}

/** Matches an instant, or a date, at the start of a text. */
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?/i;

/**
 * Reads the tokens of an expression. It remembers all tokens that the parser has tried at the current position. So an
 * error can list everything that the grammar allows there.
 */
export class TokenReader {
  readonly parameter: ExpressionParameter;
  readonly #text: string;
  readonly #unread: Iterator<Token>;
  /** The tokens that were read so far. */
  readonly #tokens: Token[] = [];
  #index = 0;
  #tried: ErrorWord[] = [];

  constructor(parameter: ExpressionParameter, text: string, style: WordStyle) {
    this.parameter = parameter;
    this.#text = text;
    this.#unread = tokenize(text, style);
  }

  /** Returns the current token, or the token after it. Neither token is taken. */
  peek(ahead: 0 | 1 = 0): Token {
    while (this.#tokens.length <= this.#index + ahead) {
      const { value } = this.#unread.next();
      // After the end, the last token stays the current one.
      this.#tokens.push(value ?? (this.#tokens.at(-1) as Token));
    }
    return this.#tokens[this.#index + ahead] as Token;
  }

  /** True if white space precedes the current token, or if this token is the first or the end of the text. */
  isApart(): boolean {
    const before = this.#tokens[this.#index - 1];
    const current = this.peek();
    return (
      before === undefined || current.kind === 'end' || before.offset + before.text.length < current.offset
    );
  }

  readUpTo(): number {
    const last = this.#tokens[this.#index - 1];
    return last === undefined ? 0 : last.offset + last.text.length;
  }

  take(): Token {
    const token = this.peek();
    this.#index += 1;
    this.#tried = [];
    return token;
  }

  /** Takes the current token if it is of this kind. `name` is the name of the expected token in errors. */
  accept(kind: TokenKind, name: ErrorWord): Token | undefined {
    if (this.peek().kind === kind) return this.take();
    this.#tried.push(name);
    return undefined;
  }

  acceptMark(mark: Mark): Token | undefined {
    return this.accept(mark, quote(mark));
  }

  /** Takes the current token if it is one of these words. Case does not matter. */
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

  /** Takes the mark. Throws a syntaxError if the current token is not this mark. */
  expectMark(mark: Mark): void {
    if (this.acceptMark(mark) === undefined) throw this.unexpected();
  }

  /** Throws a syntaxError if more tokens follow. */
  expectEnd(): void {
    if (this.peek().kind !== 'end') {
      throw this.unexpected(phrase('end of text'));
    }
  }

  /**
   * The error for an instant without quotes; undefined if the current token is no part of one. The grammar sees its year
   * as a number, so the current token is the one after it.
   */
  #unquotedInstant(): QueryOptionError | undefined {
    const year = this.#tokens[this.#index - 1];
    const [found] = (year?.kind === 'number' && INSTANT.exec(this.#text.slice(year.offset))) || [];
    if (year === undefined || found === undefined) return undefined;
    const { parameter } = this;
    return new QueryOptionError('unquotedInstant', { parameter, position: String(year.position), found });
  }

  /**
   * Makes the syntaxError for the current token. As expected tokens it lists those given here, and those that were
   * tried at this position.
   */
  unexpected(...alsoExpected: readonly ErrorWord[]): QueryOptionError {
    return (
      this.#unquotedInstant() ?? syntaxError(this.parameter, this.peek(), [...this.#tried, ...alsoExpected])
    );
  }
}
