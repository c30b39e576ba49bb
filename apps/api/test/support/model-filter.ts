/** A filter of the tests' own, made from the grammar of the decisions and not from the parser's tree. */
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
      /** What older clients write behind a boolean function. */
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
      /** As it is spelled, where that is not its name: a path. */
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

/** A row as the tests know it: numbers by `scaled`, text, or null where there is none. */
export interface ModelRow {
  readonly id: number;
  readonly values: Readonly<Record<string, bigint | string | null>>;
}

/** Decimals of the numbers of a row. */
export const ROW_SCALE = 20;

/** A decimal with up to 20 decimals as a whole number of units of the 20th. */
export function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(ROW_SCALE, '0'));
}
