/**
 * A value that can be placed in a filter. A Date is written as the service writes instants. An array is for the
 * operator `in`.
 */
export type FilterValue = string | number | bigint | boolean | null | Date | Filter | readonly FilterScalar[];
type FilterScalar = string | number | bigint | boolean | null | Date;

/** A condition whose values are already quoted. */
export class Filter {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text for `$filter`. */
  toString(): string {
    return this.#text;
  }
}

/**
 * Writes a condition for `$filter` in which the values are quoted safely: filter`ProductName eq ${name} and Status in
 * ${[2, 4]}`. A filter inside another filter gets parentheses. Throws a RangeError for a value that cannot be written
 * (NaN, infinity, an invalid date, an empty array). Throws a TypeError if a value is placed between quotes, because
 * texts are quoted automatically.
 */
export function filter(texts: TemplateStringsArray, ...values: readonly FilterValue[]): Filter {
  const [first = '', ...others] = texts.raw;
  if (texts.raw.some((text) => text.split("'").length % 2 === 0)) {
    throw new TypeError('a filter needs no quotes around its values');
  }
  return new Filter(others.reduce((text, next, index) => text + literalOf(values[index]) + next, first));
}

function literalOf(value: FilterValue | undefined): string {
  if (value instanceof Filter) return `(${value})`;
  if (Array.isArray(value)) {
    if (value.length === 0) {
      throw new RangeError('a list in a filter needs at least one value');
    }
    return `(${value.map(scalarOf).join(', ')})`;
  }
  return scalarOf(value);
}

function scalarOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written in a filter`);
      return String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null) return 'null';
      // The service writes whole seconds, and comparing texts requires the same form.
      if (value instanceof Date) return quoted(value.toISOString().replace(/\.\d+Z$/, 'Z'));
      throw new TypeError(`${typeof value} cannot be written in a filter`);
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
