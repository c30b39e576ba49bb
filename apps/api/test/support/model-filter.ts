/**
 * A filter of the tests. It follows the specified grammar, and is independent of the syntax tree in the parser of the
 * service.
 */
export type ModelFilter =
  | { readonly kind: 'and' | 'or'; readonly left: ModelFilter; readonly right: ModelFilter }
  | { readonly kind: 'not'; readonly inner: ModelFilter }
  | { readonly kind: 'constant'; readonly value: boolean }
  | {
      readonly kind: 'comparison';
      readonly operator: ModelOperator;
      readonly left: ModelOperand;
      readonly right: ModelOperand;
    }
  | { readonly kind: 'in'; readonly operand: ModelOperand; readonly values: readonly ModelOperand[] }
  | {
      readonly kind: 'match';
      readonly function: 'startswith' | 'endswith' | 'contains' | 'substringof';
      readonly text: ModelOperand;
      readonly part: ModelOperand;
      /** A comparison with true or false that older clients append to a boolean function. */
      readonly truth: { readonly operator: 'eq' | 'ne'; readonly value: boolean } | undefined;
    };

export type ModelOperator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

export type ModelFunction =
  | 'tolower'
  | 'toupper'
  | 'trim'
  | 'concat'
  | 'substring'
  | 'length'
  | 'indexof'
  | 'round'
  | 'floor'
  | 'ceiling';

export type ModelOperand =
  | {
      readonly kind: 'field';
      readonly name: string;
      /** The path of the field in the filter. It is missing if the filter uses the name of the field. */
      readonly path?: string;
    }
  | { readonly kind: 'number'; readonly digits: string; readonly suffix: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | {
      readonly kind: 'arithmetic';
      readonly operator: 'add' | 'sub' | 'mul' | 'div' | 'mod';
      readonly left: ModelOperand;
      readonly right: ModelOperand;
    }
  | { readonly kind: 'minus'; readonly operand: ModelOperand }
  | { readonly kind: 'call'; readonly function: ModelFunction; readonly arguments: readonly ModelOperand[] };

/** A row as the tests model it. Numbers are scaled by `scaled`; missing values are null. */
export interface ModelRow {
  readonly id: number;
  readonly values: Readonly<Record<string, bigint | string | null>>;
}

/** The number of decimals of the numbers in a ModelRow. */
export const ROW_SCALE = 20;

/** Converts a decimal with up to ROW_SCALE decimals to a whole number of units of the last decimal. */
export function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(ROW_SCALE, '0'));
}
