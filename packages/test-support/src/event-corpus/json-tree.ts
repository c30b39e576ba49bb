/** JSON whose leaves are raw text. So it can contain text that JSON.stringify would not write, such as 1e400. */
export type JsonTree = string | { readonly [key: string]: JsonTree };

export function toJsonText(tree: JsonTree): string {
  if (typeof tree === 'string') return tree;
  const members = Object.entries(tree).map(([key, value]) => `${JSON.stringify(key)}:${toJsonText(value)}`);
  return `{${members.join(',')}}`;
}

/** Replaces the value at the path. The value undefined removes the field. */
export function withValue(
  tree: JsonTree,
  [key, ...rest]: readonly string[],
  value: JsonTree | undefined,
): JsonTree {
  if (key === undefined) return value ?? tree;
  const fields = typeof tree === 'string' ? {} : tree;
  const { [key]: inner, ...others } = fields;
  if (rest.length === 0 && value === undefined) return others;
  return { ...fields, [key]: withValue(inner ?? {}, rest, value) };
}
