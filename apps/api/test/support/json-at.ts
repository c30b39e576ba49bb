/** What stands at a path of a JSON document, `paging.pageSize`; undefined where there is nothing. */
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

/** The JSON path of an XML path: every name with its first letter lowered. */
export function jsonPathOf(path: string): string {
  return path
    .split('.')
    .map((name) => name.charAt(0).toLowerCase() + name.slice(1))
    .join('.');
}
