/**
 * All comparison operators of a $filter. The parser, the types, the type checks, the SQL writer and the documents use
 * this table. To add an operator, add an entry here; the compiler then requires the operator's SQL.
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

/** Functions that test whether a text contains a part. In older OData, the part is the first argument. */
export const textTests = {
  startswith: { match: 'startswith', isPartFirst: false },
  endswith: { match: 'endswith', isPartFirst: false },
  contains: { match: 'contains', isPartFirst: false },
  substringof: { match: 'contains', isPartFirst: true },
} as const;

export type TextTestName = keyof typeof textTests;
export type TextMatchKind = (typeof textTests)[TextTestName]['match'];

/** The operators for arithmetic on exact decimals. `mul`, `div` and `mod` bind more tightly than `add` and `sub`. */
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
  readonly takes: readonly [OperandType, ...OperandType[]];
  /** The number of arguments that must be given. Default: all. */
  readonly needs?: number;
  readonly gives: OperandType;
}

/** The functions that return a value. Characters are code points, and positions are counted from 0. */
export const valueFunctions = {
  tolower: { takes: ['text'], gives: 'text' },
  toupper: { takes: ['text'], gives: 'text' },
  trim: { takes: ['text'], gives: 'text' },
  concat: { takes: ['text', 'text'], gives: 'text' },
  /** Returns the text from a position on: either the whole rest, or a given number of characters. */
  substring: { takes: ['text', 'number', 'number'], needs: 2, gives: 'text' },
  length: { takes: ['text'], gives: 'number' },
  /** Returns the position at which the second text first occurs in the first; -1 if it does not occur. */
  indexof: { takes: ['text', 'text'], gives: 'number' },
  /** Rounds to an integer; halves are rounded away from zero. */
  round: { takes: ['number'], gives: 'number' },
  floor: { takes: ['number'], gives: 'number' },
  ceiling: { takes: ['number'], gives: 'number' },
} as const satisfies Readonly<Record<string, FunctionDefinition>>;

export type ValueFunctionName = keyof typeof valueFunctions;

/** The definition of a function. Its type is general, without the literal types of the table. */
export function functionOf(name: ValueFunctionName): FunctionDefinition {
  return valueFunctions[name];
}

/**
 * A $filter as a tree of plain objects, which are frozen. Each `position` is counted in code points from 1. It is the
 * place where an operand starts, or the place of the operator in a comparison or an `in`.
 */
export type FilterExpression = Junction | Negation | Constant | Comparison | Inclusion | TextMatch;

/** Conditions joined by `and` or by `or`. There are at least two, and none of them is a junction of the same kind. */
export interface Junction {
  readonly kind: 'and' | 'or';
  readonly operands: readonly FilterExpression[];
}

interface Negation {
  readonly kind: 'not';
  readonly operand: FilterExpression;
}

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

/** A condition that is true if `text` starts with, ends with or contains `part`. */
export interface TextMatch {
  readonly kind: 'textMatch';
  readonly match: TextMatchKind;
  readonly text: Operand;
  readonly part: Operand;
  readonly position: number;
}

export type Operand = Field | Literal | Call | Arithmetic | Negative;

/**
 * The name of a field as the client wrote it, possibly a path with slashes or dots. The parser does not know the
 * fields; its caller checks that the field exists.
 */
export interface Field {
  readonly kind: 'field';
  readonly name: string;
  readonly position: number;
}

export interface Call {
  readonly kind: 'call';
  readonly function: ValueFunctionName;
  /** The arguments. There are at most as many as the function takes, and at least as many as it needs. */
  readonly arguments: readonly Operand[];
  readonly position: number;
}

/**
 * An operation. In a chain of operations, the earlier ones are nested in `left`, one level for each operation.
 * `position` is the place of the operator.
 */
interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: Operand;
  readonly right: Operand;
  readonly position: number;
}

/** A minus sign that stands before anything except a literal number. */
interface Negative {
  readonly kind: 'negative';
  readonly operand: Operand;
  readonly position: number;
}

export interface Literal {
  readonly kind: 'literal';
  /** The type of the literal. A number is an integer if it has no fraction and no suffix other than `L`. */
  readonly type: 'text' | 'integer' | 'decimal' | 'boolean' | 'null';
  /**
   * The value of the literal. A text has no quotes. A number is written in plain digits, without needless zeros. Any
   * other literal is `true`, `false` or `null`.
   */
  readonly value: string;
  readonly position: number;
  /** The literal as the client wrote it. */
  readonly source: string;
}
