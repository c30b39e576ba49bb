import { countCharacters } from '../characters.js';

export type TokenKind = 'word' | 'number' | 'text' | 'openText' | '(' | ')' | ',' | 'unreadable' | 'end';

/** A piece of an expression, as written. White space is no token. */
export interface Token {
  /** `number` is whatever starts like one (`1e5` too), `openText` a text whose closing quote is missing. */
  readonly kind: TokenKind;
  readonly text: string;
  /** Where it starts: index in UTF-16 code units. */
  readonly offset: number;
  /** Where it starts for a client: 1-based, in code points. */
  readonly position: number;
}

/** Whether dots belong to a word, as in `Product.Name`. */
export type WordStyle = 'plain' | 'dotted';

/** No alternative can match what another one does, so there is nothing to try again: linear in the text. */
const alternatives = (word: string): RegExp =>
  new RegExp(
    [
      '(?<space>\\s+)',
      `(?<word>${word})`,
      '(?<number>-?[0-9][A-Za-z0-9_.]*)',
      "(?<text>'(?:[^']+|'')*)(?<close>'?)",
      '(?<mark>[(),])',
      '.',
    ].join('|'),
    'gsu',
  );

const patterns: Readonly<Record<WordStyle, RegExp>> = {
  plain: alternatives('[A-Za-z_][A-Za-z0-9_]*'),
  dotted: alternatives('[A-Za-z_][A-Za-z0-9_.]*'),
};

export interface Tokens {
  readonly tokens: readonly Token[];
  /** What stands behind the last one: of kind `end`, without text. */
  readonly end: Token;
}

/** Cuts an expression into tokens; every character belongs to one or to white space. Never fails: see `unreadable`. */
export function tokenize(text: string, style: WordStyle): Tokens {
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

function kindOf(groups: Record<string, string | undefined>): TokenKind | 'space' {
  const { space, word, number, text, close, mark } = groups;
  if (text !== undefined) {
    return close === "'" ? 'text' : 'openText';
  }
  if (mark === '(' || mark === ')' || mark === ',') {
    return mark;
  }
  if (space !== undefined) {
    return 'space';
  }
  if (word !== undefined) {
    return 'word';
  }
  return number === undefined ? 'unreadable' : 'number';
}
