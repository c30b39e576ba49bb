import { expect } from 'chai';
import fc from 'fast-check';
import { parseEvent, setMaxAhead } from '../src/index.js';
import { readInstant } from '../src/kinds/instant.js';

const twoDigits = (value: number) => String(value).padStart(2, '0');

describe('an instant', () => {
  const cases: readonly [string, string][] = [
    ['2024-05-31T16:20:00+02:00', '2024-05-31T14:20:00.000000Z'],
    ['2024-05-31T16:20:00Z', '2024-05-31T16:20:00.000000Z'],
    ['2024-05-31t16:20:00z', '2024-05-31T16:20:00.000000Z'],
    ['2024-05-31T16:20:00-00:00', '2024-05-31T16:20:00.000000Z'],
    ['2024-05-31T16:20:00.5Z', '2024-05-31T16:20:00.500000Z'],
    ['2024-05-31T16:20:00.123456789-01:30', '2024-05-31T17:50:00.123456Z'],
    ['2024-02-29T23:59:59.9999999Z', '2024-02-29T23:59:59.999999Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000000Z'],
    ['2023-12-31T23:30:00-01:00', '2024-01-01T00:30:00.000000Z'],
    ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00.000000Z'],
    ['2024-01-01T00:00:00+23:59', '2023-12-31T00:01:00.000000Z'],
    ['0001-01-01T16:00:00Z', '0001-01-01T16:00:00.000000Z'],
    ['0001-01-01T00:00:00-16:00', '0001-01-01T16:00:00.000000Z'],
    ['9999-12-31T07:59:59.999999Z', '9999-12-31T07:59:59.999999Z'],
    ['9999-12-31T23:59:59+16:00', '9999-12-31T07:59:59.000000Z'],
    ['0099-06-01T00:00:00+01:00', '0099-05-31T23:00:00.000000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['2016-12-31T23:59:60.25Z', '2017-01-01T00:00:00.250000Z'],
    ['2017-01-01T01:59:60+02:00', '2017-01-01T00:00:00.000000Z'],
    ['2015-06-30T15:59:60-08:00', '2015-07-01T00:00:00.000000Z'],
    [`2024-05-31T16:20:00.${'1'.repeat(100_000)}Z`, '2024-05-31T16:20:00.111111Z'],
  ];
  for (const [text, expected] of cases) {
    it(`is read from ${text.slice(0, 40)} as ${expected}`, () => {
      expect(readInstant(text)).to.equal(expected);
    });
  }

  const refused: readonly unknown[] = [
    ...[
      '',
      '2024-05-31',
      '2024-05-31T16:20:00',
      '2024-05-31T16:20Z',
      '2024-05-31 16:20:00Z',
      '2024-W22-5T16:20:00Z',
    ],
    ...['2024-00-10T00:00:00Z', '2024-13-10T00:00:00Z', '2024-04-31T00:00:00Z', '2024-01-00T00:00:00Z'],
    ...['2023-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2100-02-29T00:00:00Z', '2024-02-30T00:00:00Z'],
    ...['2024-05-31T24:00:00Z', '2024-05-31T23:60:00Z', '2024-05-31T23:59:61Z', '2024-05-31T16:20:00.Z'],
    ...[
      '2024-05-31T16:20:00+24:00',
      '2024-05-31T16:20:00+02:60',
      '2024-05-31T16:20:00+0200',
      '2024-05-31T16:20:00+02',
    ],
    ...[
      '2024-05-31T16:20:00Z ',
      ' 2024-05-31T16:20:00Z',
      '2024-05-31T16:20:00Z\n',
      '+002024-05-31T16:20:00Z',
    ],
    ...[
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00Z',
      '0001-01-01T00:00:00+00:01',
      '0001-01-01T15:59:59.999999Z',
      '9999-12-31T08:00:00Z',
      '9999-12-31T23:59:59Z',
      '9999-12-31T23:59:59-00:01',
      '9999-12-31T23:59:60Z',
    ],
    ...['2016-12-30T23:59:60Z', '2016-12-31T22:59:60Z', '2016-12-31T23:59:60+01:00', '2016-12-31T23:58:60Z'],
    ...[1717165200000, new Date(0), null, undefined, {}, ['2024-05-31T16:20:00Z']],
  ];
  for (const value of refused) {
    it(`cannot be ${JSON.stringify(value) ?? 'undefined'}`, () => {
      expect(readInstant(value)).to.equal(undefined);
    });
  }

  it('is the same point in time as in Date, for any offset', () => {
    const instants = fc.integer({
      min: Date.parse('0001-01-02T00:00:00Z') / 1_000,
      max: Date.parse('9999-12-30T00:00:00Z') / 1_000,
    });
    const offsets = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });
    const fractions = fc.stringMatching(/^[0-9]{0,9}$/);
    fc.assert(
      fc.property(instants, offsets, fractions, (seconds, offsetMinutes, fraction) => {
        const local = new Date((seconds + offsetMinutes * 60) * 1_000).toISOString().slice(0, 19);
        const minutes = Math.abs(offsetMinutes);
        const offset = `${offsetMinutes < 0 ? '-' : '+'}${twoDigits(Math.trunc(minutes / 60))}:${twoDigits(minutes % 60)}`;
        const utc = new Date(seconds * 1_000).toISOString().slice(0, 19);
        expect(readInstant(`${local}${fraction && `.${fraction}`}${offset}`)).to.equal(
          `${utc}.${fraction.slice(0, 6).padEnd(6, '0')}Z`,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('can be on exactly those days that exist in the calendar of Date', () => {
    const years = fc.oneof(
      fc.integer({ min: 2, max: 9998 }),
      fc.integer({ min: 1, max: 99 }).map((n) => n * 100),
    );
    fc.assert(
      fc.property(
        years,
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const date = new Date(0);
          date.setUTCFullYear(year, month - 1, day);
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
          const text = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}T12:00:00Z`;
          expect(readInstant(text) !== undefined).to.equal(exists);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('the time of a change', () => {
  const HOUR_MS = 3_600_000;
  const fromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const common = { specversion: '1.0', id: '1', source: '/mes', time: '2999-01-01T00:00:00Z' };
  const operation = { database: 'TEM-NO', workOrderOperationId: 1, revision: 1 };
  const names = {
    runTime: 1,
    productStructureVersionId: 1,
    ...{ status: 4, name: 'n', version: 1, revision: 'A', type: 'K', description: '' },
  };
  const changes: Readonly<Record<string, (at: string) => object>> = {
    completedAt: (completedAt) => ({
      type: 'work-order-operation.completed.v1',
      data: { ...operation, productStructureVersionId: 1, runTime: 1, completedAt },
    }),
    reopenedAt: (reopenedAt) => ({
      type: 'work-order-operation.reopened.v1',
      data: { ...operation, reopenedAt },
    }),
    changedAt: (changedAt) => ({
      type: 'product-structure-version.changed.v1',
      data: {
        ...{ ...names, database: 'TEM-NO', changedAt, product: { ...names, productId: 1 } },
        plannedProductionTimes: { runTime: 1, setupTime: null, cleanupTime: null },
      },
    }),
  };
  const problemsOf = (name: string, at: string) => {
    const result = parseEvent({ ...common, ...changes[name]?.(at) });
    return result.ok ? [] : result.problems.map(({ field, rule }) => `${field} ${rule}`);
  };
  afterEach(() => setMaxAhead(24 * HOUR_MS));

  for (const name of Object.keys(changes)) {
    it(`may be up to a day ahead of the clock as ${name}, or as long as is set`, () => {
      const ahead = (hours: number) => [`data.${name} must be at most ${hours} hours ahead of the clock`];
      expect(problemsOf(name, fromNow(23.9))).to.deep.equal([]);
      expect(problemsOf(name, fromNow(24.1))).to.deep.equal(ahead(24));
      expect(problemsOf(name, '2999-01-01T00:00:00Z')).to.deep.equal(ahead(24));
      setMaxAhead(0.5 * HOUR_MS);
      expect(problemsOf(name, fromNow(0.4))).to.deep.equal([]);
      expect(problemsOf(name, fromNow(0.6))).to.deep.equal(ahead(0.5));
      setMaxAhead(48 * HOUR_MS);
      expect(problemsOf(name, fromNow(47))).to.deep.equal([]);
    });

    it(`must lie in the years 0001 to 9999 in every time zone as ${name}`, () => {
      const years = [`data.${name} must be in the years 0001 to 9999 in every time zone`];
      expect(problemsOf(name, '9999-12-31T23:59:59Z')).to.deep.equal(years);
      expect(problemsOf(name, '0001-01-01T00:00:00Z')).to.deep.equal(years);
      expect(problemsOf(name, '0001-01-01T16:00:00Z')).to.deep.equal([]);
    });
  }
});
