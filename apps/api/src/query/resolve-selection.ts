import { ServiceError } from '@takt/error-catalogue';
import { type ExpandItem, excerpt, type SelectItem } from '@takt/query-options';
import { type Node, PAGING_DETAILS, type Resource } from '@takt/resources';

interface Candidate {
  readonly node: Node;
  /** As the definition has the names. */
  readonly names: readonly string[];
  /** The same in lower case. */
  readonly path: readonly string[];
}

/**
 * The fields and groups that `$select` names; undefined: everything. Throws unknownField, or ambiguousField where a
 * dotted name fits several.
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
    return [{ node, names, path: names.map((name) => name.toLowerCase()) }, ...inner];
  });
}

function findSelected(item: SelectItem, candidates: readonly Candidate[]): readonly Node[] {
  const wanted = item.path.map((name) => name.toLowerCase());
  if (wanted.length === 1) {
    const named = candidates.filter(({ path }) => path.at(-1) === wanted[0]);
    return named.length > 0 ? named.map(({ node }) => node) : unknown(item, candidates);
  }
  // The closest kind of match decides: ProductStructureVersion.Name is no product's name, though that is inside.
  for (const fits of [isWhole, isTail, isSkippingTail]) {
    const found = candidates.filter(({ path }) => fits(path, wanted));
    const [only, another] = found;
    if (another !== undefined) ambiguous(item, found);
    if (only !== undefined) return [only.node];
  }
  return unknown(item, candidates);
}

type Path = readonly string[];

const isWhole = (path: Path, wanted: Path) => path.length === wanted.length && isTail(path, wanted);

const isTail = (path: Path, wanted: Path) =>
  wanted.every((name, index) => path[path.length - wanted.length + index] === name);

/** Groups in between may be left out: ProductStructureVersion.Product.Name. */
function isSkippingTail(path: Path, wanted: Path): boolean {
  if (path.at(-1) !== wanted.at(-1)) return false;
  let matched = 0;
  for (const name of path) if (name === wanted[matched]) matched++;
  return matched === wanted.length;
}

function unknown(item: SelectItem, candidates: readonly Candidate[]): never {
  throw new ServiceError('unknownField', {
    parameter: '$select',
    position: String(item.position),
    found: excerpt(item.text),
    known: [...new Set(candidates.map(({ node }) => node.name))].join(', '),
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
