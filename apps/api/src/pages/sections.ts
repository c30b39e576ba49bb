import type { Collection, Field, Group } from '@takt/resources';
import type { OutlineCollection, OutlineField, OutlineNode } from '../representations/page.js';

/** A field as people see it: a key and what it means are one. */
export interface ShownField {
  readonly kind: 'field';
  readonly field: Field;
  readonly index: number;
  /** Place of the description of a domain value, which stands in a field of its own in the data. */
  readonly descriptionIndex: number | undefined;
}

/** The fields that a page has values of. */
export type ShownFields = ReadonlyMap<Field, ShownField>;

export interface ShownCollection {
  readonly kind: 'collection';
  readonly collection: Collection;
  readonly item: OutlineCollection['item'];
  readonly index: number;
}

/** Fields and collections that stand directly in one group; undefined: in none. */
export interface Section {
  readonly group: Group | undefined;
  readonly nodes: readonly (ShownField | ShownCollection)[];
}

/** The outline as a flat list of groups, in the order of the definition, without groups that hold only groups. */
export function sectionsOf(
  nodes: readonly OutlineNode[],
  group: Group | undefined = undefined,
): readonly Section[] {
  const own = shownNodesOf(nodes);
  const inner = nodes.flatMap((node) => (node.kind === 'group' ? sectionsOf(node.children, node.group) : []));
  return own.length === 0 ? inner : [{ group, nodes: own }, ...inner];
}

function shownNodesOf(nodes: readonly OutlineNode[]): Section['nodes'] {
  const fields = nodes.filter((node) => node.kind === 'field');
  const descriptions = new Map(fields.flatMap((node) => descriptionBeside(node, fields)));
  const merged = new Set(descriptions.values());
  return nodes.flatMap((node): Section['nodes'] => {
    if (node.kind === 'collection') {
      return [{ kind: 'collection', collection: node.collection, item: node.item, index: node.index }];
    }
    if (node.kind === 'group' || merged.has(node)) return [];
    return [
      {
        kind: 'field',
        field: node.field,
        index: node.index,
        descriptionIndex: descriptions.get(node)?.index,
      },
    ];
  });
}

function descriptionBeside(
  node: OutlineField,
  fields: readonly OutlineField[],
): readonly (readonly [OutlineField, OutlineField])[] {
  if (node.field.domain === undefined) return [];
  const description = fields.find(({ field }) => field.name === `${node.field.name}Description`);
  return description === undefined ? [] : [[node, description]];
}
