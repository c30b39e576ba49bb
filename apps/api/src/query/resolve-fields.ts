import { ServiceError } from '@takt/error-catalogue';
import { type ExpandItem, excerpt, type OrderItem, type SelectItem } from '@takt/query-options';
import {
  expandableNodesOf,
  type Field,
  filterFieldsOf,
  type ListResource,
  leavesOf,
  type Node,
  PAGING_DETAILS,
  queryFieldsOf,
  type Resource,
} from '@takt/resources';

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

interface Candidate {
  readonly node: Node;
  /** As the definition has the names. */
  readonly names: readonly string[];
  /** The same in lower case. */
  readonly path: readonly string[];
  /** What `$filter` calls it, in lower case. */
  readonly flatName: string | undefined;
  /** Whether it, or a group around it, is served on request only. */
  readonly isExpandable: boolean;
}

/**
 * The fields and groups that `$select` names, by their own names or by those that `$filter` has for them; undefined:
 * everything. A name that fits something served without a request means that alone: what a resource has on request changes no
 * name. Throws unknownField, or ambiguousField where a dotted name fits several.
 */
export function resolveSelection(
  resource: Resource,
  items: readonly SelectItem[] | undefined,
): ReadonlySet<Node> | undefined {
  if (items === undefined) return undefined;
  const candidates = candidatesOf(resource.fields);
  return new Set(items.flatMap((item) => findSelected(item, candidates)));
}

type Around = Pick<Candidate, 'names' | 'isExpandable'>;

function candidatesOf(
  nodes: readonly Node[],
  around: Around = { names: [], isExpandable: false },
): readonly Candidate[] {
  return nodes.flatMap((node) => {
    const names = [...around.names, node.name];
    const isExpandable = around.isExpandable || node.expandedBy !== undefined;
    const inner = node.kind === 'group' ? candidatesOf(node.children, { names, isExpandable }) : [];
    const path = names.map((name) => name.toLowerCase());
    return [{ node, names, path, flatName: flatNameOf(node)?.toLowerCase(), isExpandable }, ...inner];
  });
}

function flatNameOf(node: Node): string | undefined {
  return node.kind === 'field' ? (node.queryName ?? node.filterName) : undefined;
}

function findSelected(item: SelectItem, candidates: readonly Candidate[]): readonly Node[] {
  const wanted = item.path.map((name) => name.toLowerCase());
  const [name] = wanted;
  const isPlain = wanted.length === 1;
  const fitting = isPlain
    ? candidates.filter(({ path, flatName }) => path.at(-1) === name || flatName === name)
    : bestMatches(wanted, candidates);
  const always = fitting.filter(({ isExpandable }) => !isExpandable);
  const found = always.length > 0 ? always : fitting;
  if (found.length === 0) unknownSelected(item, candidates);
  if (found.length > 1 && !isPlain) ambiguousSelected(item, found);
  return found.map(({ node }) => node);
}

function unknownSelected(item: SelectItem, candidates: readonly Candidate[]): never {
  throw new ServiceError('unknownField', {
    parameter: '$select',
    position: String(item.position),
    found: excerpt(item.text),
    known: [...new Set(candidates.flatMap(({ node }) => [node.name, flatNameOf(node) ?? node.name]))].join(
      ', ',
    ),
  });
}

function ambiguousSelected(item: SelectItem, found: readonly Candidate[]): never {
  throw new ServiceError('ambiguousField', {
    parameter: '$select',
    position: String(item.position),
    found: excerpt(item.text),
    candidates: found.map(({ names }) => names.join('.')).join(', '),
  });
}

/**
 * What `$expand` names of a resource, as the definition writes it. Paging is no part of a resource; a detail, which has
 * none, takes its name too, so that a client may send it with every request. Throws unknownField.
 */
export function resolveExpansion(resource: Resource, items: readonly ExpandItem[]): ReadonlySet<string> {
  const names = expandableNodesOf(resource.fields).map(({ expandedBy }) => expandedBy);
  const known = [...new Set([PAGING_DETAILS, ...names])];
  return new Set(
    items.map(({ name, position }) => {
      const found = known.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
      if (found !== undefined) return found;
      throw new ServiceError('unknownField', {
        parameter: '$expand',
        position: String(position),
        found: excerpt(name),
        known: known.join(', '),
      });
    }),
  );
}

type Path = readonly string[];

/**
 * The things whose path, in lower case, fits a path that a client wrote best: the whole path, else its end, else its
 * end with groups left out (ProductStructureVersion.Product.Name). The closest kind of match decides, so that
 * ProductStructureVersion.Name is no product's name, though that is inside. Several: the path is ambiguous.
 */
function bestMatches<Thing extends { readonly path: Path }>(
  wanted: Path,
  things: readonly Thing[],
): readonly Thing[] {
  for (const fits of [isWhole, isTail, isSkippingTail]) {
    const found = things.filter(({ path }) => fits(path, wanted));
    if (found.length > 0) return found;
  }
  return [];
}

const isWhole = (path: Path, wanted: Path) => path.length === wanted.length && isTail(path, wanted);

const isTail = (path: Path, wanted: Path) =>
  wanted.every((name, index) => path[path.length - wanted.length + index] === name);

function isSkippingTail(path: Path, wanted: Path): boolean {
  if (path.at(-1) !== wanted.at(-1)) return false;
  let matched = 0;
  for (const name of path) if (name === wanted[matched]) matched++;
  return matched === wanted.length;
}
