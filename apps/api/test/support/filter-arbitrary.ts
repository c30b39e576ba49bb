import fc from 'fast-check';
import type { ModelFilter, ModelFunction, ModelOperand, ModelOperator } from './model-filter.js';

/** The fields of a list by name. Each has literals for the values in its rows. */
export interface FilteredList {
  readonly numbers: Readonly<Record<string, readonly string[]>>;
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

const operators: fc.Arbitrary<ModelOperator> = fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge');
const nothing: fc.Arbitrary<ModelOperand> = fc.constant({ kind: 'null' });

/**
 * Generates filters over the fields of a list. Most literals are equal or close to values in the rows, so most filters
 * match some rows.
 */
export function filterArbitrary(list: FilteredList): fc.Arbitrary<ModelFilter> {
  const condition = conditionArbitrary(list);
  const { filter } = fc.letrec<{ filter: ModelFilter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 4, arbitrary: condition },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constantFrom('and', 'or'),
          left: tie('filter'),
          right: tie('filter'),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('not'), inner: tie('filter') }) },
    ),
  }));
  return filter;
}

function conditionArbitrary(list: FilteredList): fc.Arbitrary<ModelFilter> {
  const number = numberOperands(list);
  const text = textOperands(list);
  const comparison = (left: fc.Arbitrary<ModelOperand>, right: fc.Arbitrary<ModelOperand>) =>
    fc.record({ kind: fc.constant('comparison' as const), operator: operators, left, right });
  const inclusion = (operand: fc.Arbitrary<ModelOperand>, value: fc.Arbitrary<ModelOperand>) =>
    fc.record({
      kind: fc.constant('in' as const),
      operand,
      values: fc.array(fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: nothing }), {
        minLength: 1,
        maxLength: 6,
      }),
    });
  const numberFields = Object.keys(list.numbers);
  const withOwnValues = (name: string) => {
    const field = fc.constant<ModelOperand>({ kind: 'field', name });
    const own = fc
      .constantFrom(...(list.numbers[name] ?? []))
      .map((digits): ModelOperand => ({ kind: 'number', digits, suffix: '' }));
    return fc.oneof(comparison(field, own), comparison(own, field), inclusion(field, own));
  };
  const withOwnTexts = (name: string) => {
    const field = fc.constant<ModelOperand>({ kind: 'field', name });
    const own = fc.constantFrom(...(list.texts[name] ?? []).filter(isSendable));
    const literal = own.chain(literalsOf);
    return fc.oneof(
      comparison(field, literal),
      comparison(literal, field),
      inclusion(field, literal),
      matching(fc.oneof(field, callOf(field)), own.chain(partsOf)),
      matching(fc.oneof(field, callOf(field)), own.chain(partsOf)),
    );
  };
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...numberFields).chain(withOwnValues) },
    { weight: 1, arbitrary: comparison(number.variable, number.literal) },
    { weight: 1, arbitrary: comparison(number.literal, number.variable) },
    { weight: 2, arbitrary: comparison(number.variable, number.variable) },
    { weight: 2, arbitrary: comparison(text.variable, text.literal) },
    { weight: 1, arbitrary: comparison(text.literal, text.variable) },
    { weight: 1, arbitrary: comparison(text.variable, text.variable) },
    { weight: 1, arbitrary: inclusion(number.variable, number.literal) },
    { weight: 1, arbitrary: inclusion(text.variable, text.literal) },
    { weight: 8, arbitrary: fc.constantFrom(...Object.keys(list.texts)).chain(withOwnTexts) },
    { weight: 2, arbitrary: matching(text.any, fc.oneof(text.part, text.any)) },
    { weight: 2, arbitrary: absence(number.field) },
    { weight: 1, arbitrary: oddity(list) },
  );
}

const truth = fc.record({ operator: fc.constantFrom('eq', 'ne'), value: fc.boolean() });

const matching = (text: fc.Arbitrary<ModelOperand>, part: fc.Arbitrary<ModelOperand>) =>
  fc.record({
    kind: fc.constant('match' as const),
    function: fc.constantFrom('startswith', 'endswith', 'contains', 'substringof'),
    text,
    part,
    truth: fc.option(truth, { nil: undefined }),
  });

const callOf = (argument: fc.Arbitrary<ModelOperand>): fc.Arbitrary<ModelOperand> =>
  fc
    .tuple(fc.constantFrom('tolower', 'toupper', 'trim'), argument)
    .map(([name, given]) => called(name, given));

const called = (name: ModelFunction, ...given: readonly ModelOperand[]): ModelOperand => ({
  kind: 'call',
  function: name,
  arguments: given,
});

/** Generates comparisons of a field with null, such as `field eq null`. Null can be on either side. */
function absence(field: fc.Arbitrary<ModelOperand>): fc.Arbitrary<ModelFilter> {
  return fc.tuple(field, fc.boolean(), fc.constantFrom('eq', 'ne')).map(([tested, isLeft, operator]) => ({
    kind: 'comparison',
    operator,
    left: isLeft ? tested : { kind: 'null' },
    right: isLeft ? { kind: 'null' } : tested,
  }));
}

/**
 * Generates valid but unusual filters: null in comparisons of order and in functions, comparisons of two literals, and
 * boolean values.
 */
function oddity(list: FilteredList): fc.Arbitrary<ModelFilter> {
  const boolean = fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() });
  const call = fc
    .tuple(fc.constantFrom('tolower', 'toupper', 'trim', 'length'), fc.oneof(nothing, textOperands(list).any))
    .map(([name, given]) => called(name, given));
  const any = fc.oneof(numberOperands(list).any, textOperands(list).any, boolean, nothing, call);
  const comparison = (left: fc.Arbitrary<ModelOperand>, right: fc.Arbitrary<ModelOperand>) =>
    fc.record({ kind: fc.constant('comparison' as const), operator: operators, left, right });
  return fc.oneof(
    comparison(any, nothing),
    comparison(nothing, any),
    comparison(numberOperands(list).literal, numberOperands(list).literal),
    comparison(textOperands(list).literal, textOperands(list).literal),
    fc.record({
      kind: fc.constant('comparison' as const),
      operator: fc.constantFrom('eq' as const, 'ne' as const),
      left: boolean,
      right: boolean,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      operand: fc.oneof(boolean, nothing),
      values: fc.array(fc.oneof(boolean, nothing), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('match' as const),
      function: fc.constantFrom('startswith', 'endswith', 'contains', 'substringof'),
      text: fc.oneof(nothing, textOperands(list).any),
      part: nothing,
      truth: fc.constant(undefined),
    }),
  );
}

export function numberOperands(list: FilteredList) {
  const [numberFields, textFields] = [Object.keys(list.numbers), Object.keys(list.texts)];
  const field: fc.Arbitrary<ModelOperand> = fc.record({
    kind: fc.constant('field'),
    name: fc.constantFrom(...numberFields),
  });
  const length: fc.Arbitrary<ModelOperand> = fc
    .constantFrom(...textFields)
    .map((name) => called('length', { kind: 'field', name }));
  const suffix = fc.constantFrom('', '', '', 'm', 'M', 'd', 'D', 'f', 'L');
  const digits = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...Object.values(list.numbers).flat()) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 12 }).map(String) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['-1', '-0', '-0.000001', '0.0000001', '00.50', '9999999.999999', '123456789012345678'],
        ...['12345678901234567890123', '1.00000000000000000001'],
      ),
    },
  );
  const literal: fc.Arbitrary<ModelOperand> = fc
    .tuple(digits, suffix)
    .map(([written, end]) => ({ kind: 'number', digits: written, suffix: end }));
  const variable = fc.oneof({ weight: 6, arbitrary: field }, { weight: 1, arbitrary: length });
  return { field, literal, variable, any: fc.oneof(variable, literal) };
}

export function textOperands(list: FilteredList) {
  const [textFields, texts] = [Object.keys(list.texts), Object.values(list.texts).flat()];
  const field: fc.Arbitrary<ModelOperand> = fc.record({
    kind: fc.constant('field'),
    name: fc.constantFrom(...textFields),
  });
  const variable = fc.oneof(
    { weight: 4, arbitrary: field },
    { weight: 2, arbitrary: callOf(field) },
    { weight: 1, arbitrary: callOf(callOf(field)) },
  );
  const sendable = texts.filter(isSendable);
  const literal = fc.constantFrom(...sendable).chain(literalsOf);
  const part = fc.constantFrom(...sendable).chain(partsOf);
  return { literal, part, variable, any: fc.oneof({ weight: 6, arbitrary: variable }, literal) };
}

/**
 * True if a client can send the text in a filter. The tab is the only control character that a client can send. Rows
 * may contain others.
 */
export const isSendable = (text: string): boolean => !/[^\P{Cc}\t]/u.test(text);

const asText = (text: string): ModelOperand => ({ kind: 'text', text });

/** Generates literals for a text: unchanged, or changed in letter case or surrounding space. */
const literalsOf = (text: string): fc.Arbitrary<ModelOperand> =>
  fc.constantFrom('asIs', 'lower', 'upper', 'trim').map((change) => asText(changed(text, change)));

/** Generates parts of a text: some characters from the start, the middle or the end. */
function partsOf(text: string): fc.Arbitrary<ModelOperand> {
  const characters = [...text];
  const end = fc.constantFrom(characters.length, ...characters.keys());
  return fc
    .tuple(fc.constantFrom(0, ...characters.keys()), end)
    .map(([start, until]) => characters.slice(start, Math.max(until, start + 1)).join(''))
    .map(asText);
}

function changed(text: string, change: 'asIs' | 'lower' | 'upper' | 'trim'): string {
  switch (change) {
    case 'asIs':
      return text;
    case 'lower':
      return text.toLowerCase();
    case 'upper':
      return text.toUpperCase();
    case 'trim':
      return text.trim();
  }
}
