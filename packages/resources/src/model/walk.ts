import type { Collection, Field, Node } from './field.js';
import type { Resource } from './resource.js';

/** A field or collection with the names of the groups around it, outermost first, and its own. */
export interface Leaf {
  readonly path: readonly string[];
  readonly node: Field | Collection;
}

/** Every field and collection in the order of the definition. */
export function leavesOf(nodes: readonly Node[], around: readonly string[] = []): readonly Leaf[] {
  return nodes.flatMap((node) => {
    const path = [...around, node.name];
    return node.kind === 'group' ? leavesOf(node.children, path) : [{ path, node }];
  });
}

const queryFields = new WeakMap<Resource, ReadonlyMap<string, Field>>();

/** The fields that `$filter` and `$orderby` know, by their flat name in lower case. */
export function queryFieldsOf(resource: Resource): ReadonlyMap<string, Field> {
  const known = queryFields.get(resource);
  if (known !== undefined) return known;
  const found = new Map<string, Field>();
  for (const { node } of leavesOf(resource.fields)) {
    if (node.kind === 'field' && node.queryName !== undefined) found.set(node.queryName.toLowerCase(), node);
  }
  queryFields.set(resource, found);
  return found;
}
