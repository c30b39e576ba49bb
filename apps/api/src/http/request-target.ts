export interface RequestTarget {
  /** As the client wrote it, from the first slash on. */
  readonly path: string;
  /** What stands after the first `?`. */
  readonly queryText: string;
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Takes the target of a request apart. An absolute target (`GET http://host/path`) is a path on this server, as every
 * HTTP/1.1 server must take it. What is no path, as the `*` of `OPTIONS *`, is given as it is and matches no route.
 */
export function readRequestTarget(target: string): RequestTarget {
  const local = target.replace(ORIGIN, '');
  const queryAt = local.indexOf('?');
  const path = queryAt < 0 ? local : local.slice(0, queryAt);
  return {
    path: path === '' ? '/' : path,
    queryText: queryAt < 0 ? '' : local.slice(queryAt + 1),
  };
}

/** The path below the base URL; undefined where it is not below it. */
export function pathBelow(basePath: string, path: string): string | undefined {
  if (basePath === '') return path;
  if (path === basePath) return '/';
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}
