import { type Duty, holds, type Rights } from '@takt/access';
import type { Field, Node } from './field.js';
import { type Resource, type ResourceFamily, type TimeComparison, timeFigures } from './resource.js';

/** By the duties that are missing: as many as there are sets of them, of the few that a family names. */
const restricted = new WeakMap<ResourceFamily, Map<string, ResourceFamily>>();

/**
 * The family as a set of duties shows it: without the fields that need another one, without groups of which nothing is
 * left, and without anything that refers to such a field. What remains are the same fields. Whatever is made from it
 * cannot know what is hidden; so nothing after this looks at duties again.
 *
 * Made once for each set of fields that is hidden. Throws where the key of a list would be: no list can do without it.
 */
export function restrictFamily(family: ResourceFamily, held: Rights<Duty>): ResourceFamily {
  const missing = dutiesIn(family).filter((duty) => !holds(held, duty));
  if (missing.length === 0) return family;
  const known = restricted.get(family) ?? new Map<string, ResourceFamily>();
  restricted.set(family, known);
  const name = missing.join();
  const made = known.get(name) ?? restrict(family, missing);
  known.set(name, made);
  return made;
}

const duties = new WeakMap<ResourceFamily, readonly Duty[]>();

/** Found once: every request asks. */
function dutiesIn(family: ResourceFamily): readonly Duty[] {
  const known = duties.get(family);
  if (known !== undefined) return known;
  const nodes = family.versions.flatMap(({ fields }) => fields);
  const found = [...new Set(nodes.flatMap(dutiesWithin))].sort();
  duties.set(family, found);
  return found;
}

function dutiesWithin(node: Node): readonly Duty[] {
  const own = node.duty === undefined ? [] : [node.duty];
  return node.kind === 'group' ? [...own, ...node.children.flatMap(dutiesWithin)] : own;
}

function restrict(family: ResourceFamily, missing: readonly Duty[]): ResourceFamily {
  const [first, ...others] = family.versions;
  return {
    ...family,
    versions: [
      restrictResource(first, missing),
      ...others.map((version) => restrictResource(version, missing)),
    ],
  };
}

function restrictResource(resource: Resource, missing: readonly Duty[]): Resource {
  const fields = shownNodes(resource.fields, missing);
  if (resource.kind === 'detail') return { ...resource, fields };
  const shown = new Set(fieldsIn(fields));
  if (!shown.has(resource.key)) throw new Error(`the key of ${resource.path} cannot be hidden`);
  return {
    ...resource,
    fields,
    firstOrder: resource.firstOrder && shown.has(resource.firstOrder) ? resource.firstOrder : undefined,
    searched: resource.searched.filter((field) => shown.has(field)),
    // It looks into all of them.
    searchIndex: resource.searched.every((field) => shown.has(field)) ? resource.searchIndex : undefined,
    comparisons: resource.comparisons.flatMap((comparison) => shownComparison(comparison, shown)),
  };
}

function shownNodes(nodes: readonly Node[], missing: readonly Duty[]): readonly Node[] {
  return nodes.flatMap((node): readonly Node[] => {
    if (node.duty !== undefined && missing.includes(node.duty)) return [];
    if (node.kind !== 'group') return [node];
    const children = shownNodes(node.children, missing);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}

function fieldsIn(nodes: readonly Node[]): readonly Field[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return fieldsIn(node.children);
    return node.kind === 'field' ? [node] : [];
  });
}

function shownComparison(comparison: TimeComparison, shown: ReadonlySet<Field>): readonly TimeComparison[] {
  const figures = timeFigures.map((figure) => {
    const field = comparison[figure];
    return [figure, field !== undefined && shown.has(field) ? field : undefined] as const;
  });
  if (figures.every(([, field]) => field === undefined)) return [];
  return [{ ...comparison, ...Object.fromEntries(figures) }];
}
