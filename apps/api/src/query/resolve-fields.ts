import { ServiceError } from '@takt/error-catalogue';
import { excerpt, type OrderItem } from '@takt/query-options';
import { type Field, filterFieldsOf, type ListResource, leavesOf, queryFieldsOf } from '@takt/resources';
import { bestMatches } from './match-path.js';

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

interface WrittenName {
  readonly name: string;
  readonly position: number;
}

/** The field that `$orderby` names. Throws unknownField, which lists the names there are. */
function resolveOrderField(resource: ListResource, written: WrittenName): Field {
  const field = queryFieldsOf(resource).get(written.name.toLowerCase());
  return field ?? unknown('$orderby', written, queryFieldsOf(resource));
}

/**
 * The field that `$filter` names, by its flat name or by a path with slashes or dots. Throws unknownField, or
 * ambiguousField where a path fits several.
 */
export function resolveFilterField(resource: ListResource, written: WrittenName): Field {
  const fields = filterFieldsOf(resource);
  const wanted = written.name.toLowerCase();
  const field = fields.get(wanted);
  if (field !== undefined) return field;
  const path = wanted.split(/[./]/);
  const candidates = path.length === 1 ? [] : pathsOf(resource, new Set(fields.values()));
  const found = bestMatches(path, candidates);
  const [only, another] = found;
  if (only === undefined) return unknown('$filter', written, fields);
  if (another === undefined) return only.field;
  throw new ServiceError('ambiguousField', {
    parameter: '$filter',
    position: String(written.position),
    found: excerpt(written.name),
    candidates: found.map(({ names }) => names.join('.')).join(', '),
  });
}

function pathsOf(resource: ListResource, fields: ReadonlySet<Field>) {
  return leavesOf(resource.fields).flatMap(({ node, path: names }) =>
    node.kind === 'field' && fields.has(node)
      ? [{ field: node, names, path: names.map((name) => name.toLowerCase()) }]
      : [],
  );
}

function unknown(
  parameter: '$filter' | '$orderby',
  { name, position }: WrittenName,
  fields: ReadonlyMap<string, Field>,
): never {
  throw new ServiceError('unknownField', {
    parameter,
    position: String(position),
    found: excerpt(name),
    known: [...fields.values()].map(({ queryName, filterName }) => queryName ?? filterName).join(', '),
  });
}

/**
 * The order of a list, made total by the key, which follows the direction of the field before it: so the index of
 * one field serves both of its directions. Throws unknownField or repeatedField.
 */
export function resolveOrder(resource: ListResource, items: readonly OrderItem[]): readonly OrderTerm[] {
  const { firstOrder } = resource;
  const terms: OrderTerm[] =
    items.length > 0 || firstOrder === undefined ? [] : [{ field: firstOrder, direction: 'asc' }];
  for (const { field: name, direction, position } of items) {
    const field = resolveOrderField(resource, { name, position });
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
  return [...terms, { field: resource.key, direction: terms.at(-1)?.direction ?? resource.keyDirection }];
}
