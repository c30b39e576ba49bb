import { processorMsOf, type Random, randomFrom, testSeed } from '@takt/test-support';
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

const seed = testSeed();
const TEXTS = 20_000;
const LIMIT_MS = 50;
/** All of them take some 6 s on a machine that has nothing else to do. */
const DEADLINE_MS = 300_000;

const list: Acceptance = { kind: 'list', takesSearch: true, defaultPageSize: 10, maximumPageSize: 80 };
const expressions = ['$filter', '$orderby', '$select', '$expand'] as const;

const sound = [
  "contains(tolower(Namespace),'it''s') eq true and not (HttpStatusCode in (400,404L) or Message eq null)",
  'AverageRunTime gt 1.50m and (LongestRunTime lt 8 or NumberOfCompletedProductionWorkOrders ge -3)',
  "substringof('😀',trim(ProductName)) or length(Message) le 20 or Status ne 'x'",
  'Name desc, ProductStructureVersion.Product.Name asc,Version',
  '$filter=a%20eq%20%27%C3%A9%27&%24top=5&$select=Name,Product.Name&$lang=nob&search=a+b&&$expand=PagingDetails',
] as const;

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

function hostile(random: Random): string {
  if (random.below(3) === 0) {
    return Array.from({ length: random.below(60) }, () => random.pick(["'", ...pieces])).join('');
  }
  let text: string = random.pick(sound);
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    const start = random.below(text.length + 1);
    const end = start + random.below(6);
    const middle = random.pick([
      '',
      random.pick(["'", ...pieces]),
      text.slice(start, end).repeat(random.below(40)),
    ]);
    text = text.slice(0, start) + middle + text.slice(end);
  }
  return text;
}

/** The error that an action throws, if it is one that it may throw and says no more than it should. */
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

describe(`hostile text (seed ${seed})`, () => {
  it(`is read, or refused by a QueryOptionError, within ${LIMIT_MS} ms of work: ${TEXTS} random and mutated ones`, () => {
    const random = randomFrom(seed);
    for (let count = 0; count < TEXTS; count += 1) {
      const text = hostile(random);
      const milliseconds = processorMsOf(() => readEverywhere(text));
      // Once more before it counts: the first time may have met a garbage collection, or the compiler.
      if (milliseconds >= LIMIT_MS) {
        expect(
          processorMsOf(() => readEverywhere(text)),
          JSON.stringify(text),
        ).to.be.lessThan(LIMIT_MS);
      }
    }
  }).timeout(DEADLINE_MS);

  it('that is as long as it may be takes no longer', () => {
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
