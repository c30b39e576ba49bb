import { processorMsOf } from '@takt/test-support';
import { expect } from 'chai';
import {
  type Acceptance,
  limits,
  parseQueryString,
  QueryOptionError,
  readEarlyOptions,
  readQueryOptions,
} from '../src/index.js';
import { queryOptionErrors } from '../src/query-option-error.js';
import { inEnglish } from './support/fault-of.js';

const LIMIT_MS = 50;

const list: Acceptance = { kind: 'list', takesSearch: true, defaultPageSize: 10, maximumPageSize: 80 };
const expressions = ['$filter', '$orderby', '$select', '$expand'] as const;

const pieces = [
  ...[
    "'",
    "''",
    '(',
    ')',
    ',',
    '.',
    ' ',
    '%',
    '%zz',
    '%00',
    '%27',
    '&',
    '=',
    '+',
    '$',
    '-',
    '1',
    '1e9',
    '5m',
    '\ud83d',
  ],
  ...[
    '😀',
    '\u0000',
    '\n',
    'é',
    ' and ',
    ' or ',
    'not ',
    ' eq ',
    ' in (',
    'contains(',
    'tolower(',
    'null',
    'a',
    '$top=',
  ],
  ...['__proto__', 'constructor', '((((((((', '))))))))', '$filter=', '/', '\\', ';', '--', '"'],
] as const;

/**
 * Returns the error that an action throws. Fails if the error is not a QueryOptionError, or if it quotes too much of
 * the text.
 */
function errorOf(action: () => void, text: string): QueryOptionError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (!(error instanceof QueryOptionError)) {
      throw new Error(`of ${JSON.stringify(text)}`, { cause: error });
    }
    return error;
  }
}

function expectPresentable({ code, parameters }: QueryOptionError, text: string): void {
  expect(Object.keys(parameters), code).to.have.members([...queryOptionErrors[code]]);
  const found = inEnglish(parameters['found'] ?? '');
  const { position = '1' } = parameters;
  expect(Array.from(found).length, found).to.be.lessThanOrEqual(41);
  expect(found).not.to.match(/[\p{Cc}\p{Cs}]/u);
  expect(Number(position)).to.be.within(1, Array.from(text).length + 1);
}

function readEverywhere(text: string): void {
  const { parameters, problem } = parseQueryString(text);
  readEarlyOptions(parameters);
  const errors = [problem, errorOf(() => readQueryOptions(parameters, list), text)];
  for (const name of expressions) {
    errors.push(errorOf(() => readQueryOptions([{ name, value: text }], list), text));
  }
  for (const error of errors) {
    if (error !== undefined) {
      expectPresentable(error, text);
    }
  }
}

describe('a hostile text', () => {
  it(`of the maximum length is parsed or rejected with a QueryOptionError within ${LIMIT_MS} ms of CPU time`, () => {
    for (const piece of [
      ...pieces,
      "a'",
      "'a",
      '1.',
      'a.',
      'a,',
      '(a',
      'not(',
      'a eq 1 and ',
      "a in ('a',",
      'a eq 1 or ',
      'a add ',
      '-',
      'a/',
      '1e',
      '1e-',
      '1e-9 mul ',
    ]) {
      const text = piece.repeat(16_000).slice(0, limits.filterCharacters);
      readEverywhere(text);
      const best = Math.min(...[1, 2, 3].map(() => processorMsOf(() => readEverywhere(text))));
      expect(best, JSON.stringify(piece)).to.be.lessThan(LIMIT_MS);
    }
  });
});
