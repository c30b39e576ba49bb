import { ServiceError } from '@takt/error-catalogue';
import { type ExpandItem, excerpt, type SelectItem } from '@takt/query-options';
import { expandableNodesOf, type Node, PAGING_DETAILS, type Resource } from '@takt/resources';
import { bestMatches } from './match-path.js';

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
  if (found.length === 0) unknown(item, candidates);
  if (found.length > 1 && !isPlain) ambiguous(item, found);
  return found.map(({ node }) => node);
}

function unknown(item: SelectItem, candidates: readonly Candidate[]): never {
  throw new ServiceError('unknownField', {
    parameter: '$select',
    position: String(item.position),
    found: excerpt(item.text),
    known: [...new Set(candidates.flatMap(({ node }) => [node.name, flatNameOf(node) ?? node.name]))].join(
      ', ',
    ),
  });
}

function ambiguous(item: SelectItem, found: readonly Candidate[]): never {
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
