/**
 * All comparison operators of a $filter. Parser, types, type checks, SQL writer and documents use this table. To add an
 * operator, add an entry here and its SQL, which the compiler requires.
 */
export const comparisonOperators = {
  eq: { sign: '=', comparesOrder: false },
  ne: { sign: '<>', comparesOrder: false },
  lt: { sign: '<', comparesOrder: true },
  le: { sign: '<=', comparesOrder: true },
  gt: { sign: '>', comparesOrder: true },
  ge: { sign: '>=', comparesOrder: true },
} as const;

export type ComparisonOperator = keyof typeof comparisonOperators;

/** Tests of whether a text contains a part. Older OData has the part as the first argument. */
export const textTests = {
  startswith: { match: 'startswith', isPartFirst: false },
  endswith: { match: 'endswith', isPartFirst: false },
  contains: { match: 'contains', isPartFirst: false },
  substringof: { match: 'contains', isPartFirst: true },
} as const;

export type TextTestName = keyof typeof textTests;
export type TextMatchKind = (typeof textTests)[TextTestName]['match'];

/** Arithmetic on numbers, in exact decimals; `mul`, `div` and `mod` bind tighter than `add` and `sub`. */
export const arithmeticOperators = {
  add: { bindsTighter: false },
  sub: { bindsTighter: false },
  mul: { bindsTighter: true },
  div: { bindsTighter: true },
  mod: { bindsTighter: true },
} as const;

export type ArithmeticOperator = keyof typeof arithmeticOperators;

export type OperandType = 'text' | 'number';

interface FunctionDefinition {
  /** The types of the function's arguments, in order. */
  readonly takes: readonly [OperandType, ...OperandType[]];
  /** Number of required arguments; default all. */
  readonly needs?: number;
  readonly gives: OperandType;
}

/** Functions that return a value. Characters are code points, positions count from 0. */
export const valueFunctions = {
  tolower: { takes: ['text'], gives: 'text' },
  toupper: { takes: ['text'], gives: 'text' },
  trim: { takes: ['text'], gives: 'text' },
  concat: { takes: ['text', 'text'], gives: 'text' },
  /** The text from a position on: all of it, or a given number of characters. */
  substring: { takes: ['text', 'number', 'number'], needs: 2, gives: 'text' },
  length: { takes: ['text'], gives: 'number' },
  /** The position of the first occurrence; -1 if there is none. */
  indexof: { takes: ['text', 'text'], gives: 'number' },
  /** Halves are rounded away from zero. */
  round: { takes: ['number'], gives: 'number' },
  floor: { takes: ['number'], gives: 'number' },
  ceiling: { takes: ['number'], gives: 'number' },
} as const satisfies Readonly<Record<string, FunctionDefinition>>;

export type ValueFunctionName = keyof typeof valueFunctions;

/** The definition of a function, typed without the literal types of the table. */
export function functionOf(name: ValueFunctionName): FunctionDefinition {
  return valueFunctions[name];
}

/**
 * A $filter as a tree of frozen plain objects. Each `position` is 1-based in code points. It is the start of an
 * operand, or the operator of a comparison or `in`.
 */
export type FilterExpression = Junction | Negation | Constant | Comparison | Inclusion | TextMatch;

/** At least two operands, none of which is a junction of the same kind. */
export interface Junction {
  readonly kind: 'and' | 'or';
  readonly operands: readonly FilterExpression[];
}

interface Negation {
  readonly kind: 'not';
  readonly operand: FilterExpression;
}

/** `true` or `false` used as a condition. */
interface Constant {
  readonly kind: 'constant';
  readonly holds: boolean;
  readonly position: number;
}

export interface Comparison {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: Operand;
  readonly right: Operand;
  readonly position: number;
}

export interface Inclusion {
  readonly kind: 'in';
  readonly operand: Operand;
  readonly values: readonly Literal[];
  readonly position: number;
}

/** True if `text` starts with, ends with or contains `part`. */
export interface TextMatch {
  readonly kind: 'textMatch';
  readonly match: TextMatchKind;
  readonly text: Operand;
  readonly part: Operand;
  readonly position: number;
}

export type Operand = Field | Literal | Call | Arithmetic | Negative;

/** A name, or a path with slashes or dots, as written. The caller checks that the field exists. */
export interface Field {
  readonly kind: 'field';
  readonly name: string;
  readonly position: number;
}

export interface Call {
  readonly kind: 'call';
  readonly function: ValueFunctionName;
  /** The arguments: at most as many as the function takes, and at least as many as it needs. */
  readonly arguments: readonly Operand[];
  readonly position: number;
}

/** A chain of operations nests in `left`, one level per operation. `position` is the position of the operator. */
interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: Operand;
  readonly right: Operand;
  readonly position: number;
}

/** A minus before anything but a literal number. */
interface Negative {
  readonly kind: 'negative';
  readonly operand: Operand;
  readonly position: number;
}

export interface Literal {
  readonly kind: 'literal';
  /** The type of the literal. A number is an integer if it has no fraction, and no suffix except `L`. */
  readonly type: 'text' | 'integer' | 'decimal' | 'boolean' | 'null';
  /**
   * The value: a text without its quotes; `true`, `false` or `null`; a number as plain digits without needless zeros.
   */
  readonly value: string;
  readonly position: number;
  /** The literal as the client wrote it. */
  readonly source: string;
}
