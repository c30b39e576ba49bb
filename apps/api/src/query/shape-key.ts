import type { Node, Resource } from '@takt/resources';
import type { ListShape } from './list-sql.js';
import type { Column } from './plan-columns.js';

/** A text that two shapes share only where their statements are the same. */
export function shapeKeyOf(resource: Resource, shape: ListShape): string {
  return JSON.stringify(
    [
      resource.identifier,
      resource.version,
      columnsKeyOf(shape.columns),
      shape.order.map(({ field, direction }) => [field, direction]),
      shape.condition,
      shape.searchedWords,
      shape.start,
      shape.skips,
      shape.countsAll,
    ],
    // A field is known by its identity, which its definition has for the life of the process.
    (_, value: unknown) => (isNode(value) ? identityOf(value) : value),
  );
}

export function columnsKeyOf(columns: readonly Column[]): string {
  return columns
    .map((column) => (column.kind === 'value' ? identityOf(column.node) : `${identityOf(column.of)}d`))
    .join();
}

const identities = new WeakMap<Node, number>();
let lastIdentity = 0;

function identityOf(node: Node): number {
  const known = identities.get(node);
  if (known !== undefined) return known;
  identities.set(node, ++lastIdentity);
  return lastIdentity;
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'field' &&
    'source' in value
  );
}
