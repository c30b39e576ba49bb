import { ServiceError } from '@takt/catalogue/errors';
import { type Random, randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { MAX_EVENTS, MAX_VALUES, MAX_VALUES_PER_EVENT } from '../src/events/find-events.js';
import { readEvents } from '../src/events/read-events.js';

const JSON_TYPE = 'application/json';
const LINES = 'application/x-ndjson';
const RUNS = 5_000;

const read = (text: string, type = JSON_TYPE, headers: Readonly<Record<string, string>> = {}) =>
  readEvents({ ...headers, 'content-type': type }, Buffer.from(text));

/** Returns the error with which a body is rejected. */
function refusalOf(text: string, type = JSON_TYPE, headers: Readonly<Record<string, string>> = {}) {
  try {
    const { events } = read(text, type, headers);
    for (const _ of events);
  } catch (error) {
    if (error instanceof ServiceError) return [error.code, ...error.parameters];
  }
  return expect.fail('it was not refused');
}

/** Counts the values in a tree, including the tree itself. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, item) => sum + countOf(item), 1);
}

const TEXTS = ['', 'a', '"', '\\', '\\"', '[', ']]', '{,}', ',', '\n', 'Ø', '😀', '\\\\"', '\u2028', '],['];

function randomValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 4 ? 4 : 6);
  if (kind === 0) return random.pick([0, -1.5, 1e300, 12]);
  if (kind === 1) return random.pick([true, false, null]);
  if (kind < 4) return random.pick(TEXTS) + random.pick(TEXTS);
  const items = Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1));
  if (kind === 4) return items;
  return Object.fromEntries(items.map((item, index) => [`${random.pick(TEXTS)}${index}`, item]));
}

describe('the events in a body', () => {
  it('are the events that JSON.parse finds, in any notation of JSON', () => {
    const random = randomFrom(testSeed());
    for (let run = 0; run < RUNS; run += 1) {
      const value = randomValue(random, 0);
      const text = JSON.stringify(value, null, random.pick([0, 1, '\t', '\r\n ']));
      const expected: readonly unknown[] = Array.isArray(value) ? value : [value];
      const { count, values, events } = read(` ${text}\n`);
      expect([...events], text).to.deep.equal(expected);
      expect([count, values], text).to.deep.equal([expected.length, countOf(expected) - 1]);
    }
  });

  it('cannot be read if JSON.parse fails', () => {
    const random = randomFrom(testSeed());
    const characters = [...'[]{},:"\\ 1a\n\v\f\u00a0'];
    for (let run = 0; run < RUNS; run += 1) {
      const text = [...JSON.stringify([randomValue(random, 0), randomValue(random, 0)])];
      text.splice(random.below(text.length), random.below(3), random.pick(characters));
      const broken = text.join('');
      const found = attempt(() => [...read(broken).events]);
      const parsed = attempt(() => JSON.parse(broken));
      const expected = parsed === undefined || Array.isArray(parsed) ? parsed : [parsed];
      expect(found, broken).to.deep.equal(expected);
    }
  });

  it('may have 1,000 values each; the error for more values names the position of the event', () => {
    const filled = (values: number) => `{"id":[${Array.from({ length: values - 2 }, () => '[]').join()}]}`;
    const full = filled(MAX_VALUES_PER_EVENT);
    expect(read(full).values).to.equal(MAX_VALUES_PER_EVENT);
    expect(read(`[${full},${full}]`).count).to.equal(2);
    const over = filled(MAX_VALUES_PER_EVENT + 1);
    const byte = over.length - 5;
    const refusal = (index: number, at: number) => [
      'tooManyValuesInEvent',
      String(index),
      '1000',
      String(at),
    ];
    expect(refusalOf(over)).to.deep.equal(refusal(0, byte));
    expect(refusalOf(`[{}, ${over}]`)).to.deep.equal(refusal(1, byte + 5));
    expect(refusalOf(`{}\n\n${over}`, LINES)).to.deep.equal(refusal(1, byte + 4));
    expect(refusalOf('['.repeat(5_000_000))).to.deep.equal(refusal(0, 1_001));
  });

  it('may have 1,000 values in binary mode too, where headers count as values', () => {
    const headers = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`ce-a${index}`, '1']));
    const data = (values: number) => JSON.stringify(Array.from({ length: values - 1 }, () => 1));
    expect(read(data(400), JSON_TYPE, headers).values).to.equal(1_000);
    expect(refusalOf(data(401), JSON_TYPE, headers)).to.include.members(['tooManyValuesInEvent', '0']);
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`ce-a${index}`, '1']));
    expect(refusalOf('1', JSON_TYPE, many)).to.include.members(['tooManyValuesInEvent', '0']);
  });

  it('may be at most 1,000 with 100,000 values in total', () => {
    const event = JSON.stringify(Array.from({ length: MAX_VALUES / MAX_EVENTS - 1 }, () => 1));
    const list = (count: number, last = event) => [...Array.from({ length: count - 1 }, () => event), last];
    for (const [type, write] of [
      [JSON_TYPE, (events: readonly string[]) => `[${events.join()}]`],
      [LINES, (events: readonly string[]) => events.join('\n')],
    ] as const) {
      expect(read(write(list(MAX_EVENTS)), type).values).to.equal(MAX_VALUES);
      expect(refusalOf(write(list(MAX_EVENTS, event.replace('[', '[0,'))), type)).to.deep.equal([
        'tooManyValues',
        '999',
        '100000',
      ]);
      expect(refusalOf(write(list(MAX_EVENTS + 1)), type)).to.deep.equal(['tooManyEvents', '1000']);
    }
  });
});

/** Returns undefined if `make` throws. */
function attempt<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
