import type { QueryOptionError } from '../query-option-error.js';
import { type ExpressionParameter, quote, syntaxError } from './syntax-error.js';
import { type Token, type TokenKind, type Tokens, tokenize, type WordStyle } from './tokenize.js';

/**
 * Walks through the tokens of one expression. It remembers what was sought in vain at the current token, so that an
 * error names everything that the grammar allows there, however the parser got to it.
 */
export class TokenReader {
  readonly parameter: ExpressionParameter;
  readonly #tokens: Tokens;
  #index = 0;
  #soughtInVain: string[] = [];

  /** Starts at the first token of the text. Words hold dots if the style is `dotted`. */
  constructor(parameter: ExpressionParameter, text: string, style: WordStyle) {
    this.parameter = parameter;
    this.#tokens = tokenize(text, style);
  }

  /** The current token, or with 1 the one after it. */
  peek(ahead: 0 | 1 = 0): Token {
    return this.#tokens.tokens[this.#index + ahead] ?? this.#tokens.end;
  }

  /** Whether white space (or nothing) parts the current token from the one before it. */
  isApart(): boolean {
    const before = this.#tokens.tokens[this.#index - 1];
    const current = this.peek();
    return (
      before === undefined || current.kind === 'end' || before.offset + before.text.length < current.offset
    );
  }

  /** Steps over the current token and gives it. */
  take(): Token {
    const token = this.peek();
    this.#index += 1;
    this.#soughtInVain = [];
    return token;
  }

  /** Takes the current token if it is of this kind; errors call it `name`. */
  accept(kind: TokenKind, name: string): Token | undefined {
    if (this.peek().kind === kind) {
      return this.take();
    }
    this.#soughtInVain.push(name);
    return undefined;
  }

  acceptMark(mark: '(' | ')' | ','): Token | undefined {
    return this.accept(mark, quote(mark));
  }

  /** Takes the current token if it is one of these words, in any case. */
  acceptKeyword<Keyword extends string>(keywords: readonly Keyword[]): Keyword | undefined {
    const { kind, text } = this.peek();
    const word = text.toLowerCase();
    const keyword = kind === 'word' ? keywords.find((candidate) => candidate === word) : undefined;
    if (keyword === undefined) {
      this.#soughtInVain.push(...keywords.map(quote));
      return undefined;
    }
    this.take();
    return keyword;
  }

  /** Takes the mark; throws a syntaxError if it is not there. */
  expectMark(mark: '(' | ')' | ','): void {
    if (this.acceptMark(mark) === undefined) {
      throw this.unexpected();
    }
  }

  /** Throws a syntaxError unless everything is read. */
  expectEnd(): void {
    if (this.peek().kind !== 'end') {
      throw this.unexpected('end of text');
    }
  }

  /** The syntaxError at the current token: these, or what was sought in vain, were expected. */
  unexpected(...alsoExpected: readonly string[]): QueryOptionError {
    return syntaxError(this.parameter, this.peek(), [...this.#soughtInVain, ...alsoExpected]);
  }
}
