import { ServiceError } from '@takt/error-catalogue';
import { type ExpandItem, excerpt, type SelectItem } from '@takt/query-options';
import { type Node, PAGING_DETAILS, type Resource } from '@takt/resources';
import { bestMatches } from './match-path.js';

interface Candidate {
  readonly node: Node;
  /** As the definition has the names. */
  readonly names: readonly string[];
  /** The same in lower case. */
  readonly path: readonly string[];
  /** What `$filter` calls it, in lower case. */
  readonly flatName: string | undefined;
}

/**
 * The fields and groups that `$select` names, by their own names or by those that `$filter` has for them; undefined:
 * everything. Throws unknownField, or ambiguousField where a dotted name fits several.
 */
export function resolveSelection(
  resource: Resource,
  items: readonly SelectItem[] | undefined,
): ReadonlySet<Node> | undefined {
  if (items === undefined) return undefined;
  const candidates = candidatesOf(resource.fields);
  return new Set(items.flatMap((item) => findSelected(item, candidates)));
}

function candidatesOf(nodes: readonly Node[], around: readonly string[] = []): readonly Candidate[] {
  return nodes.flatMap((node) => {
    const names = [...around, node.name];
    const inner = node.kind === 'group' ? candidatesOf(node.children, names) : [];
    const path = names.map((name) => name.toLowerCase());
    return [{ node, names, path, flatName: flatNameOf(node)?.toLowerCase() }, ...inner];
  });
}

function flatNameOf(node: Node): string | undefined {
  return node.kind === 'field' ? (node.queryName ?? node.filterName) : undefined;
}

function findSelected(item: SelectItem, candidates: readonly Candidate[]): readonly Node[] {
  const wanted = item.path.map((name) => name.toLowerCase());
  const [name] = wanted;
  if (wanted.length === 1) {
    const named = candidates.filter(({ path, flatName }) => path.at(-1) === name || flatName === name);
    return named.length > 0 ? named.map(({ node }) => node) : unknown(item, candidates);
  }
  const found = bestMatches(wanted, candidates);
  const [only, another] = found;
  if (another !== undefined) ambiguous(item, found);
  return only === undefined ? unknown(item, candidates) : [only.node];
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

/** The names that `$expand` may hold are few; gives those that it holds. Throws unknownField. */
export function resolveExpansion(items: readonly ExpandItem[]): ReadonlySet<string> {
  return new Set(
    items.map(({ name, position }) => {
      if (name.toLowerCase() === PAGING_DETAILS.toLowerCase()) return PAGING_DETAILS;
      throw new ServiceError('unknownField', {
        parameter: '$expand',
        position: String(position),
        found: excerpt(name),
        known: PAGING_DETAILS,
      });
    }),
  );
}
