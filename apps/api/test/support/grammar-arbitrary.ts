import fc from 'fast-check';
import { type FilteredList, isSendable } from './filter-arbitrary.js';
import type { ModelFilter, ModelFunction, ModelOperand, ModelOperator } from './model-filter.js';

/** All paths of each field by the name of the field. The map is empty for a list whose fields have no paths. */
export type Spellings = Readonly<Record<string, readonly string[]>>;

export const OPERATORS: readonly ModelOperator[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
export const ARITHMETIC = ['add', 'sub', 'mul', 'div', 'mod'] as const;
export const MATCHES = ['startswith', 'endswith', 'contains', 'substringof'] as const;
export const FUNCTIONS: readonly ModelFunction[] = [
  ...(['tolower', 'toupper', 'trim', 'concat', 'substring', 'length', 'indexof', 'round', 'floor'] as const),
  'ceiling',
];
export const SUFFIXES = ['m', 'M', 'd', 'D', 'f', 'F', 'l', 'L'] as const;

const call = (name: ModelFunction, ...given: readonly ModelOperand[]): ModelOperand => ({
  kind: 'call',
  function: name,
  arguments: given,
});

/** Numbers that are hard for arithmetic or have an unusual spelling: zeros, halves, exponents, many digits. */
const ODD_NUMBERS = [
  ...['0', '0', '-0', '0.0', '0e9', '1', '2', '3', '7', '-1', '-2', '0.5', '1.5', '-0.5', '-2.5', '10'],
  ...['1e-7', '1E-6', '2.5e+1', '25e-1', '-1.5e0', '1e21', '3e-9', '0.000001', '123456789012345678'],
  ...['9999999999999999999', '0.33333333333333333333', '12345678901234567890.123456789'],
] as const;

/** Generates operands for numbers and for texts. They use the whole grammar, with up to three levels of nesting. */
function operands(list: FilteredList, spellings: Spellings) {
  const field = (name: string) =>
    fc
      .constantFrom(undefined, ...(spellings[name] ?? []))
      .map(
        (path): ModelOperand =>
          path === undefined ? { kind: 'field', name } : { kind: 'field', name, path },
      );
  const fieldOf = (values: FilteredList['numbers']) => fc.constantFrom(...Object.keys(values)).chain(field);
  const nothing = fc.constant<ModelOperand>({ kind: 'null' });
  const own = Object.values(list.numbers).flat();
  const number = fc
    .tuple(
      fc.oneof(fc.constantFrom(...own), fc.constantFrom(...ODD_NUMBERS)),
      fc.option(fc.constantFrom(...SUFFIXES)),
    )
    .map(([digits, suffix]): ModelOperand => ({ kind: 'number', digits, suffix: suffix ?? '' }));
  const sendable = Object.values(list.texts).flat().filter(isSendable);
  const text = fc
    .tuple(fc.constantFrom(...sendable), fc.nat(4), fc.nat(4))
    .map(([whole, start, count]): ModelOperand => {
      const part = [...whole].slice(start, start + count).join('');
      return { kind: 'text', text: part === '' ? whole : part };
    });
  const place = fc
    .integer({ min: -2, max: 9 })
    .map((digits): ModelOperand => ({ kind: 'number', digits: String(digits), suffix: '' }));
  return fc.letrec<{ number: ModelOperand; text: ModelOperand }>((tie) => ({
    number: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 8, arbitrary: fieldOf(list.numbers) },
      { weight: 4, arbitrary: number },
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('arithmetic' as const),
          operator: fc.constantFrom(...ARITHMETIC),
          left: tie('number'),
          right: tie('number'),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('minus' as const), operand: tie('number') }) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom('round', 'floor', 'ceiling'), tie('number'))
          .map(([name, given]) => call(name, given)),
      },
      { weight: 1, arbitrary: tie('text').map((given) => call('length', given)) },
      { weight: 1, arbitrary: fc.tuple(tie('text'), tie('text')).map((given) => call('indexof', ...given)) },
      { weight: 1, arbitrary: fc.tuple(fieldOf(list.texts), text).map((given) => call('indexof', ...given)) },
    ),
    text: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 8, arbitrary: fieldOf(list.texts) },
      { weight: 3, arbitrary: text },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom('tolower', 'toupper', 'trim'), tie('text'))
          .map(([name, given]) => call(name, given)),
      },
      { weight: 1, arbitrary: fc.tuple(tie('text'), tie('text')).map((given) => call('concat', ...given)) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            tie('text'),
            fc.oneof({ weight: 3, arbitrary: place }, tie('number')),
            fc.option(
              fc.oneof({ weight: 3, arbitrary: place }, { weight: 1, arbitrary: tie('number') }, nothing),
            ),
          )
          .map(([whole, start, count]) =>
            call('substring', whole, start, ...(count === null ? [] : [count])),
          ),
      },
    ),
  }));
}

/** Generates filters with every production of the grammar, including filters that no client would write. */
export function grammarArbitrary(list: FilteredList, spellings: Spellings): fc.Arbitrary<ModelFilter> {
  const { number, text } = operands(list, spellings);
  const nothing = fc.constant<ModelOperand>({ kind: 'null' });
  const comparison = (left: fc.Arbitrary<ModelOperand>, right: fc.Arbitrary<ModelOperand>) =>
    fc.record({
      kind: fc.constant('comparison' as const),
      operator: fc.constantFrom(...OPERATORS),
      left,
      right,
    });
  const literals = (type: 'number' | 'text') => {
    const own = Object.values(type === 'number' ? list.numbers : list.texts).flat();
    const value = fc
      .constantFrom(...own.filter(isSendable))
      .map(
        (given): ModelOperand =>
          type === 'number' ? { kind: 'number', digits: given, suffix: '' } : { kind: 'text', text: given },
      );
    return fc.array(fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: nothing }), {
      minLength: 1,
      maxLength: 5,
    });
  };
  const inclusion = (type: 'number' | 'text') =>
    fc.record({
      kind: fc.constant('in' as const),
      operand: type === 'number' ? number : text,
      values: literals(type),
    });
  const match = fc.record({
    kind: fc.constant('match' as const),
    function: fc.constantFrom(...MATCHES),
    text,
    part: text,
    truth: fc.option(
      fc.record({ operator: fc.constantFrom('eq' as const, 'ne' as const), value: fc.boolean() }),
      { nil: undefined },
    ),
  });
  const { filter } = fc.letrec<{ filter: ModelFilter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 8, arbitrary: comparison(number, number) },
      { weight: 3, arbitrary: comparison(text, text) },
      { weight: 1, arbitrary: comparison(fc.oneof(number, text), nothing) },
      { weight: 1, arbitrary: comparison(nothing, fc.oneof(number, text)) },
      { weight: 2, arbitrary: inclusion('number') },
      { weight: 1, arbitrary: inclusion('text') },
      { weight: 2, arbitrary: match },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('not' as const), inner: tie('filter') }) },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constantFrom('and' as const, 'or' as const),
          left: tie('filter'),
          right: tie('filter'),
        }),
      },
    ),
  }));
  return filter;
}

/** Returns filters that compare each field with a value of its rows and with null, by each operator and by `in`. */
export function everyFieldWithEveryOperator(list: FilteredList): readonly ModelFilter[] {
  const literalsOf = (values: FilteredList['numbers'], write: (value: string) => ModelOperand) =>
    Object.entries(values).map(([name, own]) => {
      const sendable = [...new Set(own)].filter(isSendable);
      const middle = sendable.toSorted()[sendable.length >> 1] ?? '0';
      return { field: { kind: 'field', name } as const, literal: write(middle) };
    });
  const all = [
    ...literalsOf(list.numbers, (digits) => ({ kind: 'number', digits, suffix: '' })),
    ...literalsOf(list.texts, (text) => ({ kind: 'text', text })),
  ];
  const nothing: ModelOperand = { kind: 'null' };
  return all.flatMap(({ field, literal }): readonly ModelFilter[] => [
    ...OPERATORS.flatMap((operator): readonly ModelFilter[] => [
      { kind: 'comparison', operator, left: field, right: literal },
      { kind: 'comparison', operator, left: literal, right: field },
      { kind: 'comparison', operator, left: field, right: nothing },
      { kind: 'not', inner: { kind: 'comparison', operator, left: field, right: literal } },
    ]),
    { kind: 'in', operand: field, values: [literal] },
    { kind: 'in', operand: field, values: [literal, nothing] },
    { kind: 'in', operand: field, values: [nothing] },
    { kind: 'not', inner: { kind: 'in', operand: field, values: [nothing, literal] } },
  ]);
}
