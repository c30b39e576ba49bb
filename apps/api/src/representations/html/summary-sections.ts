import type { Field, ListResource } from '@takt/resources';
import type { Section, ShownField } from './shown-nodes.js';

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
