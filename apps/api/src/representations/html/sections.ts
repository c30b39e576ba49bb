import type { Collection, Field, Group, ListResource } from '@takt/resources';
import type { OutlineCollection, OutlineField, OutlineNode } from '../page.js';

/** A field as people see it: a key and what it means are one. */
export interface ShownField {
  readonly kind: 'field';
  readonly field: Field;
  readonly index: number;
  /** Place of the description of a domain value, which stands in a field of its own in the data. */
  readonly descriptionIndex: number | undefined;
}

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

/** Names before numbers before words for a state. */
function rankOf({ field }: ShownField): number {
  if (field.domain !== undefined) return 2;
  return field.type === 'text' ? 0 : 1;
}

/**
 * What tells the rows of a list with comparisons apart, for which there is little room: the fields beside the key and
 * those that the list can be ordered by. Sections with a name to order by come first. What is left out stands in the
 * details of the row.
 */
export function summarySections(
  resource: ListResource,
  sections: readonly Section[],
  compared: ReadonlySet<Field>,
): readonly Section[] {
  const keyGroup = resource.fields.find(
    (node) => node.kind === 'group' && node.children.includes(resource.key),
  );
  const summaries = sections.map(({ group, nodes }): Section => {
    const isBesideKey = group === (keyGroup?.kind === 'group' ? keyGroup : undefined);
    const fields = nodes.filter(
      (node): node is ShownField =>
        node.kind === 'field' &&
        !compared.has(node.field) &&
        node.field.type !== 'link' &&
        node.field !== resource.key &&
        (isBesideKey || node.field.queryName !== undefined),
    );
    return { group, nodes: fields.toSorted((one, other) => rankOf(one) - rankOf(other)) };
  });
  const served = summaries.filter(({ nodes }) => nodes.length > 0);
  return served.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
}

function isNamed({ nodes }: Section): boolean {
  return nodes.some(
    (node) => node.kind === 'field' && node.field.type === 'text' && node.field.queryName !== undefined,
  );
}
