import fc from 'fast-check';
import type { Junction } from '../../src/filter-expression.js';
import {
  arithmeticOperators,
  type FilterExpression,
  functionOf,
  type Literal,
  type Operand,
  type ValueFunctionName,
  valueFunctions,
} from '../../src/index.js';

const position = 0;

const literalOf = (type: Literal['type'], value: string): Literal => ({
  ...{ kind: 'literal', type, value, position, source: '' },
});

const digits = (maximum: number) => fc.bigInt({ min: 0n, max: 10n ** BigInt(maximum) - 1n });

const integer = fc
  .tuple(fc.boolean(), digits(20))
  .map(([negative, value]) => literalOf('integer', String(negative ? -value : value)));

/** Canonical: no zero at the end of a fraction, and none at all for a whole number. */
const decimal = fc.tuple(fc.constantFrom('', '-'), digits(15), digits(15)).map(([sign, whole, fraction]) => {
  const tail = String(fraction).replace(/0+$/, '');
  const value = tail === '' ? String(whole) : `${whole}.${tail}`;
  return literalOf('decimal', value === '0' ? value : sign + value);
});

const literal: fc.Arbitrary<Literal> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => literalOf('text', text)),
  fc
    .string({ unit: fc.constantFrom("'", "''", ' ', '(', ',', '😀', 'a'), maxLength: 8 })
    .map((text) => literalOf('text', text)),
  integer,
  decimal,
  fc.constantFrom('true', 'false').map((value) => literalOf('boolean', value)),
  fc.constant(literalOf('null', 'null')),
);

const reserved = /^(?:and|or|not|eq|ne|lt|le|gt|ge|in|true|false|null|add|sub|mul|div|mod)$/i;

const field: fc.Arbitrary<Operand> = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/),
    fc.constantFrom('__proto__', 'constructor', 'length', 'contains', 'notA', 'inA', 'trueA', 'e1'),
    fc.constantFrom('a/b', 'a.b', 'Group/Inner/not', 'x.eq.y', '_/_._', 'a/in'),
  )
  .filter((name) => !reserved.test(name))
  .map((name) => ({ kind: 'field', name, position }));

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

const { operand } = fc.letrec<{ operand: Operand }>((tie) => {
  const call = fc.constantFrom(...namesOf<ValueFunctionName>(valueFunctions)).chain((name) => {
    const { takes, needs = takes.length } = functionOf(name);
    return fc
      .array(tie('operand'), { minLength: needs, maxLength: takes.length })
      .map((given): Operand => ({ kind: 'call', function: name, arguments: given, position }));
  });
  const arithmetic: fc.Arbitrary<Operand> = fc.record({
    kind: fc.constant('arithmetic'),
    operator: fc.constantFrom(...namesOf(arithmeticOperators)),
    left: tie('operand'),
    right: tie('operand'),
    position: fc.constant(position),
  });
  const negative: fc.Arbitrary<Operand> = fc.record({
    kind: fc.constant('negative'),
    operand: tie('operand'),
    position: fc.constant(position),
  });
  return {
    operand: fc.oneof(
      { maxDepth: 3 },
      { weight: 3, arbitrary: field },
      { weight: 3, arbitrary: literal },
      call,
      arithmetic,
      negative,
    ),
  };
});

const condition: fc.Arbitrary<FilterExpression> = fc.oneof(
  fc.record({ kind: fc.constant('constant'), holds: fc.boolean(), position: fc.constant(position) }),
  fc.record({
    kind: fc.constant('comparison'),
    operator: fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge'),
    left: operand,
    right: operand,
    position: fc.constant(position),
  }),
  fc.record({
    kind: fc.constant('in'),
    operand,
    values: fc.array(literal, { minLength: 1, maxLength: 4 }),
    position: fc.constant(position),
  }),
  fc.record({
    kind: fc.constant('textMatch'),
    match: fc.constantFrom('startswith', 'endswith', 'contains'),
    text: operand,
    part: operand,
    position: fc.constant(position),
  }),
);

/** Trees that a text can denote: no junction directly inside one of its kind. */
export const { expression: filterArbitrary } = fc.letrec<{ expression: FilterExpression }>((tie) => {
  const junction = (kind: Junction['kind']): fc.Arbitrary<FilterExpression> =>
    fc
      .array(
        tie('expression').filter((inner) => inner.kind !== kind),
        { minLength: 2, maxLength: 3 },
      )
      .map((operands) => ({ kind, operands }));
  return {
    expression: fc.oneof(
      { maxDepth: 3 },
      condition,
      junction('and'),
      junction('or'),
      tie('expression').map((inner): FilterExpression => ({ kind: 'not', operand: inner })),
    ),
  };
});
