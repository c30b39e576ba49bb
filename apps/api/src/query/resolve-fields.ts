import { ServiceError } from '@takt/error-catalogue';
import { excerpt, type OrderItem } from '@takt/query-options';
import { type Field, type ListResource, queryFieldsOf } from '@takt/resources';

/** What a field's values are compared as. */
export type ValueType = 'number' | 'text' | 'boolean';

export function valueTypeOf(field: Field): ValueType {
  switch (field.type) {
    case 'integer':
    case 'decimal':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'text':
    case 'instant':
    case 'link':
      return 'text';
  }
}

export type Direction = 'asc' | 'desc';

export interface OrderTerm {
  readonly field: Field;
  readonly direction: Direction;
}

/** The field of a name that `$filter` or `$orderby` holds. Throws unknownField, which lists the names there are. */
export function resolveField(
  resource: ListResource,
  { parameter, name, position }: { parameter: '$filter' | '$orderby'; name: string; position: number },
): Field {
  const fields = queryFieldsOf(resource);
  const field = fields.get(name.toLowerCase());
  if (field !== undefined) return field;
  throw new ServiceError('unknownField', {
    parameter,
    position: String(position),
    found: excerpt(name),
    known: [...fields.values()].map(({ queryName }) => queryName).join(', '),
  });
}

/**
 * The order of a list, made total by the key, which follows the direction of the field before it: so the index of
 * one field serves both of its directions. Throws unknownField or repeatedField.
 */
export function resolveOrder(resource: ListResource, items: readonly OrderItem[]): readonly OrderTerm[] {
  const terms: OrderTerm[] = [];
  for (const { field: name, direction, position } of items) {
    const field = resolveField(resource, { parameter: '$orderby', name, position });
    if (terms.some((term) => term.field === field)) {
      throw new ServiceError('repeatedField', {
        parameter: '$orderby',
        position: String(position),
        found: excerpt(name),
      });
    }
    terms.push({ field, direction });
  }
  if (terms.some(({ field }) => field === resource.key)) return terms;
  return [...terms, { field: resource.key, direction: terms.at(-1)?.direction ?? 'asc' }];
}
