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
  readonly match: 'startswith' | 'endswith' | 'contains';
  readonly text: Operand;
  readonly part: Operand;
  readonly position: number;
}

export type ComparisonOperator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

export type Operand = Field | Literal | Call;

/** A name as written; whether there is such a field is for the caller to say. */
export interface Field {
  readonly kind: 'field';
  readonly name: string;
  readonly position: number;
}

export interface Call {
  readonly kind: 'call';
  readonly function: 'tolower' | 'toupper' | 'trim' | 'length';
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
