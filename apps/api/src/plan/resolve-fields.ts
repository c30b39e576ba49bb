import { ServiceError } from '@takt/catalogue/errors';
import {
  expandableIn,
  type Field,
  filterFieldsOf,
  type ListResource,
  leavesOf,
  type Node,
  PAGING_DETAILS,
  queryFieldsOf,
  type Resource,
} from '@takt/catalogue/resources';
import { type ExpandItem, excerpt, type OrderItem, type SelectItem } from '@takt/query';

export type ValueType = 'number' | 'text' | 'boolean' | 'instant';

export function valueTypeOf({ type }: Field): ValueType {
  if (type === 'boolean' || type === 'instant') return type;
  return type === 'integer' || type === 'decimal' ? 'number' : 'text';
}

export type Direction = 'asc' | 'desc';

export interface OrderTerm {
  readonly field: Field;
  readonly direction: Direction;
}

interface WrittenName {
  readonly parameter: '$filter' | '$orderby' | '$select' | '$expand';
  readonly name: string;
  readonly position: number;
}

const foundAt = ({ parameter, name, position }: WrittenName) => ({
  parameter,
  position: String(position),
  found: excerpt(name),
});

const unknownField = (written: WrittenName, known: readonly string[]): ServiceError =>
  new ServiceError('unknownField', { ...foundAt(written), known: known.join(', ') });

const ambiguousField = (written: WrittenName, found: readonly NamedPath[]): ServiceError => {
  const candidates = found.map(({ names }) => names.join('.')).join(', ');
  return new ServiceError('ambiguousField', { ...foundAt(written), candidates });
};

const namesOf = (fields: ReadonlyMap<string, Field>): readonly string[] =>
  [...fields.values()].flatMap((field) => flatNameOf(field) ?? []);

function flatNameOf(node: Node): string | undefined {
  return node.kind === 'field' ? (node.queryName ?? node.filterName) : undefined;
}

/**
 * Finds the field to which a name in `$filter` refers. The name is either a single name, or a path with slashes or
 * dots. Throws unknownField, or ambiguousField if several fields match a path.
 */
export function resolveFilterField(
  resource: ListResource,
  { name, position }: Pick<WrittenName, 'name' | 'position'>,
): Field {
  const fields = filterFieldsOf(resource);
  const wanted = name.toLowerCase();
  const field = fields.get(wanted);
  if (field !== undefined) return field;
  const path = wanted.split(/[./]/);
  const found = path.length === 1 ? [] : bestMatches(path, pathsOf(resource, new Set(fields.values())));
  const [only, another] = found;
  const written = { parameter: '$filter', name, position } as const;
  if (only === undefined) throw unknownField(written, namesOf(fields));
  if (another !== undefined) throw ambiguousField(written, found);
  return only.field;
}

function pathsOf(resource: ListResource, fields: ReadonlySet<Field>) {
  return leavesOf(resource.fields).flatMap(({ node, path: names }) =>
    node.kind === 'field' && fields.has(node) ? [{ field: node, names }] : [],
  );
}

/**
 * Resolves the order of a list. If the order does not contain the key, the key is added at the end, so that the order
 * of any two rows is defined. The key gets the direction of the field before it, so that one index serves both
 * directions. Throws unknownField or repeatedField.
 */
export function resolveOrder(resource: ListResource, items: readonly OrderItem[]): readonly OrderTerm[] {
  const { firstOrder, key, keyDirection } = resource;
  const fields = queryFieldsOf(resource);
  const terms: OrderTerm[] =
    items.length > 0 || firstOrder === undefined ? [] : [{ field: firstOrder, direction: keyDirection }];
  for (const { field: name, direction, position } of items) {
    const written = { parameter: '$orderby', name, position } as const;
    const field = fields.get(name.toLowerCase());
    if (field === undefined) throw unknownField(written, namesOf(fields));
    if (terms.some((term) => term.field === field)) throw new ServiceError('repeatedField', foundAt(written));
    terms.push({ field, direction });
  }
  if (terms.some(({ field }) => field === key)) return terms;
  return [...terms, { field: key, direction: terms.at(-1)?.direction ?? keyDirection }];
}

interface NamedPath {
  readonly names: readonly string[];
}

interface Candidate extends NamedPath {
  readonly node: Node;
  /** True if the node, or a group around the node, is served only on request. */
  readonly isExpandable: boolean;
}

/**
 * Finds the fields and groups that `$select` names, by their own names or by their names in `$filter`. Returns
 * undefined if everything is selected. If a name fits both fields that are always served and fields that are served
 * only on request, the latter are ignored; so an expandable part never changes the meaning of a name. Throws
 * unknownField, or ambiguousField if several fields match a dotted name.
 */
export function resolveSelection(
  resource: Resource,
  items: readonly SelectItem[] | undefined,
): ReadonlySet<Node> | undefined {
  if (items === undefined) return undefined;
  const candidates = candidatesOf(resource.fields, { names: [], isExpandable: false });
  return new Set(items.flatMap((item) => findSelected(item, candidates)));
}

function candidatesOf(nodes: readonly Node[], around: Omit<Candidate, 'node'>): readonly Candidate[] {
  return nodes.flatMap((node) => {
    const names = [...around.names, node.name];
    const isExpandable = around.isExpandable || node.expandedBy !== undefined;
    const inner = node.kind === 'group' ? candidatesOf(node.children, { names, isExpandable }) : [];
    return [{ node, names, isExpandable }, ...inner];
  });
}

function findSelected(item: SelectItem, candidates: readonly Candidate[]): readonly Node[] {
  const wanted = item.path.map((name) => name.toLowerCase());
  const isPlain = wanted.length === 1;
  const fitting = isPlain
    ? candidates.filter(({ node }) =>
        [node.name, flatNameOf(node)].some((name) => name?.toLowerCase() === wanted[0]),
      )
    : bestMatches(wanted, candidates);
  const always = fitting.filter(({ isExpandable }) => !isExpandable);
  const found = always.length > 0 ? always : fitting;
  const written = { parameter: '$select', name: item.text, position: item.position } as const;
  if (found.length === 0) {
    const known = candidates.flatMap(({ node }) => [node.name, flatNameOf(node) ?? node.name]);
    throw unknownField(written, [...new Set(known)]);
  }
  if (found.length > 1 && !isPlain) throw ambiguousField(written, found);
  return found.map(({ node }) => node);
}

/**
 * Returns the names in `$expand`, spelled as in the definition. The name that requests details of Paging belongs to no
 * resource. It is accepted for objects too, although their answers have no Paging, so that a client may always send it.
 * Throws unknownField.
 */
export function resolveExpansion(resource: Resource, items: readonly ExpandItem[]): ReadonlySet<string> {
  const names = expandableIn(resource).map(({ expandedBy }) => expandedBy);
  const known = [...new Set([PAGING_DETAILS, ...names])];
  return new Set(
    items.map((item) => {
      const found = known.find((candidate) => candidate.toLowerCase() === item.name.toLowerCase());
      if (found === undefined) throw unknownField({ parameter: '$expand', ...item }, known);
      return found;
    }),
  );
}

/**
 * Finds the things whose paths match a path best. The path must be in lower case. A match is one of three kinds, from
 * best to worst: the complete path is equal; its end is equal; or its end is equal after some groups are left out
 * (ProductStructureVersion.Product.Name). Only matches of the best kind are returned, so ProductStructureVersion.Name
 * is never the name of the product inside the structure version. If several things are returned, the path is ambiguous.
 */
function bestMatches<Thing extends NamedPath>(
  wanted: readonly string[],
  things: readonly Thing[],
): readonly Thing[] {
  for (const fits of [isWhole, isTail, isSkippingTail]) {
    const found = things.filter(({ names }) =>
      fits(
        names.map((name) => name.toLowerCase()),
        wanted,
      ),
    );
    if (found.length > 0) return found;
  }
  return [];
}

type Path = readonly string[];

const isWhole = (path: Path, wanted: Path) => path.length === wanted.length && isTail(path, wanted);

const isTail = (path: Path, wanted: Path) =>
  wanted.every((name, index) => path[path.length - wanted.length + index] === name);

function isSkippingTail(path: Path, wanted: Path): boolean {
  if (path.at(-1) !== wanted.at(-1)) return false;
  let matched = 0;
  for (const name of path) if (name === wanted[matched]) matched++;
  return matched === wanted.length;
}
