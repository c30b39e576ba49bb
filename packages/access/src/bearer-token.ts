/** The token of an Authorization header; undefined: it holds none of this kind. */
export function bearerTokenOf(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}
