type Path = readonly string[];

/**
 * The things whose path, in lower case, fits a path that a client wrote best: the whole path, else its end, else its
 * end with groups left out (ProductStructureVersion.Product.Name). The closest kind of match decides, so that
 * ProductStructureVersion.Name is no product's name, though that is inside. Several: the path is ambiguous.
 */
export function bestMatches<Thing extends { readonly path: Path }>(
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
