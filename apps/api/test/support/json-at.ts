/**
 * Returns the value at a path of a JSON document, such as `paging.pageSize`. Returns undefined if the path does not
 * exist.
 */
export function jsonAt(document: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, name)
          ? Reflect.get(found, name)
          : undefined,
      document,
    );
}

/** Converts the path of an XML element to a JSON path. Each name gets a lower-case first letter. */
export function jsonPathOf(path: string): string {
  return path
    .split('.')
    .map((name) => name.charAt(0).toLowerCase() + name.slice(1))
    .join('.');
}
