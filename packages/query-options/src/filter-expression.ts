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

/** Functions of one text, by what they give. */
export const textFunctions = {
  tolower: { gives: 'text' },
  toupper: { gives: 'text' },
  trim: { gives: 'text' },
  length: { gives: 'number' },
} as const;

export type TextFunctionName = keyof typeof textFunctions;

/**
 * A $filter as a tree of frozen plain values. Every `position` is 1-based and counts code points of the text: that of
 * an operand is where it starts, that of a comparison or `in` where its operator stands.
 */
export type FilterExpression = Junction | Negation | Comparison | Inclusion | TextMatch;

/** At least two operands, none of which is a junction of the same kind. */
export interface Junction {
  readonly kind: 'and' | 'or';
  readonly operands: readonly FilterExpression[];
}

export interface Negation {
  readonly kind: 'not';
  readonly operand: FilterExpression;
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

export type Operand = Field | Literal | Call;

/** A name as written; whether there is such a field is for the caller to say. */
export interface Field {
  readonly kind: 'field';
  readonly name: string;
  readonly position: number;
}

export interface Call {
  readonly kind: 'call';
  readonly function: TextFunctionName;
  readonly argument: Operand;
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
