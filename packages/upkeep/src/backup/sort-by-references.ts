/** Items in their order, but each after those that it refers to by name. Circles are left as they are. */
export function sortByReferences<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  referencesOf: (item: Item) => readonly string[],
): readonly Item[] {
  const byName = new Map(items.map((item) => [nameOf(item), item]));
  const sorted = new Set<Item>();
  const seen = new Set<Item>();
  const visit = (item: Item) => {
    if (seen.has(item)) return;
    seen.add(item);
    for (const name of referencesOf(item)) {
      const other = byName.get(name);
      if (other !== undefined) visit(other);
    }
    sorted.add(item);
  };
  items.forEach(visit);
  return [...sorted];
}
