/**
 * The words of a $filter, declared here alone: parser, types, the checks of types, the SQL writer and the guides for
 * people follow. A word more is an entry here, and SQL for it where the compiler then misses it.
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

/** Tests of a text for a part of it; older OData has the part first. */
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

/** What an operand can be taken for. */
export type OperandType = 'text' | 'number';

interface FunctionDefinition {
  /** The types of its arguments, in their order. */
  readonly takes: readonly [OperandType, ...OperandType[]];
  /** How many of them must be given; all, unless told. */
  readonly needs?: number;
  readonly gives: OperandType;
}

/** Functions that give a value. Characters are code points, places of characters count from 0. */
export const valueFunctions = {
  tolower: { takes: ['text'], gives: 'text' },
  toupper: { takes: ['text'], gives: 'text' },
  trim: { takes: ['text'], gives: 'text' },
  concat: { takes: ['text', 'text'], gives: 'text' },
  /** From a place on, all or so many characters. */
  substring: { takes: ['text', 'number', 'number'], needs: 2, gives: 'text' },
  length: { takes: ['text'], gives: 'number' },
  /** The place where a part begins; -1: it does not occur. */
  indexof: { takes: ['text', 'text'], gives: 'number' },
  /** A half is rounded away from zero. */
  round: { takes: ['number'], gives: 'number' },
  floor: { takes: ['number'], gives: 'number' },
  ceiling: { takes: ['number'], gives: 'number' },
} as const satisfies Readonly<Record<string, FunctionDefinition>>;

export type ValueFunctionName = keyof typeof valueFunctions;

/** What there is to know of a function, without the literal types of the table. */
export function functionOf(name: ValueFunctionName): FunctionDefinition {
  return valueFunctions[name];
}

/**
 * A $filter as a tree of frozen plain values. Every `position` is 1-based and counts code points of the text: that of
 * an operand is where it starts, that of a comparison or `in` where its operator stands.
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

/** `true` or `false` where a condition stands. */
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

/** Whether `text` starts with, ends with or contains `part`. */
export interface TextMatch {
  readonly kind: 'textMatch';
  readonly match: TextMatchKind;
  readonly text: Operand;
  readonly part: Operand;
  readonly position: number;
}

export type Operand = Field | Literal | Call | Arithmetic | Negative;

/** A name, or a path with its slashes or dots, as written; whether there is such a field is for the caller to say. */
export interface Field {
  readonly kind: 'field';
  readonly name: string;
  readonly position: number;
}

export interface Call {
  readonly kind: 'call';
  readonly function: ValueFunctionName;
  /** As many as the function takes, or needs at least. */
  readonly arguments: readonly Operand[];
  readonly position: number;
}

/** `left` may go deep, as deep as there are operations; `position` is that of the operator. */
interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: Operand;
  readonly right: Operand;
  readonly position: number;
}

/** A minus before what is no literal number. */
interface Negative {
  readonly kind: 'negative';
  readonly operand: Operand;
  readonly position: number;
}

export interface Literal {
  readonly kind: 'literal';
  /** As written: a number is an integer if it has neither a fraction nor a suffix but `L`. */
  readonly type: 'text' | 'integer' | 'decimal' | 'boolean' | 'null';
  /** Text without its quotes; `true`, `false`, `null`; a number as plain digits, without needless zeros. */
  readonly value: string;
  readonly position: number;
  /** As the client wrote it. */
  readonly source: string;
}
