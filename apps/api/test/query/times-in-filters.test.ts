import { expect } from 'chai';
import { askList, columnOf } from '../harness/ask.js';
import { insertStructureVersions } from '../harness/insert-rows.js';
import { meetsFilter } from '../harness/meets-filter.js';
import type { ModelFilter, ModelOperand, ModelOperator, ModelRow } from '../harness/model-filter.js';
import { openTestApi, type TestApi } from '../harness/open-test-api.js';
import { printModelFilter } from '../harness/print-model-filter.js';
import { readProductionTimes } from '../harness/read-model-rows.js';
import { productionTimes } from '../harness/resources.js';

/** The shortest and the longest time that there can be, some between, and none. */
const TIMES = ['0', '0.000001', '0.000002', '0.25', '1.5', '1.500001', '9999999.999998', '9999999.999999'];

/** Numbers on, and as little as possible beside, what times can be: one of a time's own decimals, and one of the 20th. */
const NEAR = TIMES.flatMap((time) => [
  time,
  ...['0000001', '0000005', '00000000000000000001'].flatMap((part) => [
    beside(time, part, 1n),
    beside(time, part, -1n),
  ]),
]);

/** Of these a time stored as whole numbers must make nothing else, by sign, size or what stands for no time. */
const FAR = [
  ...['-0.000001', '-0.000002', '-0.0000005', '-1', '-2', '-1e-399', '-1e399', '-99999999999999999999'],
  ...['1e-6', '1e-7', '15e-1', '25E-2', '0.00000025e6', '1e-399', '1e7', '9999999999999', '1e12', '1e13'],
  // What would come round to -2, -1, 0 or 1.5 hours in 64 bits.
  ...['18446744073709.551614', '18446744073709.551615', '18446744073709.551616', '18446744073711.051616'],
  ...['9223372036854.775807', '9223372036854.775808', '-9223372036854.775808', '1e18', '1e19', '1e399'],
];

const OPERATORS: readonly ModelOperator[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
const FIELDS = ['RunTime', 'AverageSetupTime'];

describe('a time in a filter', () => {
  let api: TestApi;
  let rows: readonly ModelRow[];
  before(async () => {
    api = await openTestApi();
    const versions = [...TIMES, null].map((run, index) => ({
      id: 100 + index,
      planned: { run },
      actual: { setup: run === null ? [] : [run] },
    }));
    await insertStructureVersions(api.owner, versions);
    rows = await readProductionTimes(api.owner);
  });
  after(() => api.close());

  /** By the rules in exact arithmetic, and what the service gives. */
  const expectSame = async (filter: ModelFilter) => {
    const expected = rows.filter((row) => meetsFilter(filter, row)).map(({ id }) => id);
    const text = printModelFilter(filter, 0);
    const page = await askList(api, productionTimes, { $filter: text, $top: '$max', $select: KEY });
    expect(columnOf(page).map(Number), text).to.have.members(expected);
    return expected.length;
  };

  const forms: Readonly<Record<string, (operator: ModelOperator, name: string, of: string) => ModelFilter>> =
    {
      'before the number': (operator, name, of) => compared(operator, field(name), number(of)),
      'behind the number': (operator, name, of) => compared(operator, number(of), field(name)),
      'before arithmetic with the number': (operator, name, of) =>
        compared(operator, field(name), times(number(of), number('1'))),
      'in arithmetic': (operator, name, of) =>
        compared(operator, times(field(name), number('1')), number(of)),
      'with arithmetic on both sides': (operator, name, of) =>
        compared(operator, times(field(name), number('1')), times(number(of), number('1'))),
      'in a list': (operator, name, of) => {
        const values =
          operator === 'ne' ? [number(of), { kind: 'null' as const }] : [number('7'), number(of)];
        return { kind: 'in', operand: field(name), values };
      },
    };
  for (const [where, form] of Object.entries(forms)) {
    const operators: readonly ModelOperator[] = where === 'in a list' ? ['eq', 'ne'] : OPERATORS;
    it(`${where} is compared exactly, and not at all where it is missing`, async () => {
      const numbers = [...NEAR, ...FAR];
      for (const [index, of] of numbers.entries()) {
        for (const operator of operators) {
          const filter = form(operator, FIELDS[index % 2] ?? '', of);
          const opposite: ModelFilter = { kind: 'not', inner: filter };
          expect((await expectSame(filter)) + (await expectSame(opposite))).to.equal(rows.length);
        }
      }
    }).timeout(180_000);
  }

  it('is compared with another one, with what is none and with a number of another kind', async () => {
    const others: readonly ModelOperand[] = [
      ...['AverageSetupTime', 'SetupTime', 'NumberOfCompletedProductionWorkOrders', 'Version'].map(field),
      times(field('AverageSetupTime'), number('2')),
      { kind: 'arithmetic', operator: 'div', left: number('1'), right: number('0') },
      { kind: 'call', function: 'length', arguments: [{ kind: 'text', text: 'ab' }] },
      { kind: 'call', function: 'round', arguments: [number('1.5')] },
      { kind: 'minus', operand: number('1.5') },
    ];
    for (const other of others) {
      for (const operator of OPERATORS) {
        await expectSame(compared(operator, field('RunTime'), other));
        await expectSame(compared(operator, other, field('RunTime')));
        await expectSame({ kind: 'not', inner: compared(operator, field('RunTime'), other) });
      }
    }
  }).timeout(180_000);
});

const KEY = productionTimes.key.name;

const field = (name: string): ModelOperand => ({ kind: 'field', name });
const number = (digits: string): ModelOperand => ({ kind: 'number', digits, suffix: '' });
const times = (left: ModelOperand, right: ModelOperand): ModelOperand => {
  return { kind: 'arithmetic', operator: 'mul', left, right };
};
const compared = (operator: ModelOperator, left: ModelOperand, right: ModelOperand): ModelFilter => {
  return { kind: 'comparison', operator, left, right };
};

/** A number and a little more or less: `part` is a decimal fraction without its zero and point. */
function beside(hours: string, part: string, sign: bigint): string {
  const scale = 20;
  const unitsOf = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(scale, '0'));
  };
  const units = unitsOf(hours) + sign * unitsOf(`0.${part}`);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
