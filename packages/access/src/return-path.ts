/** Only to tell a path from what a browser could take for another host; nothing is asked of it. */
const INSIDE = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * The absolute address of a page of this service that a client names by its path below the base URL, or of the first page
 * where it names none or anything else: nobody is led to another site.
 */
export function returnAddress(path: string | undefined, baseUrl: string): string {
  const first = `${baseUrl}/`;
  if (path === undefined || !INSIDE.test(path) || !URL.canParse(baseUrl + path)) return first;
  // After dots in the path have been resolved.
  const { href } = new URL(baseUrl + path);
  return href.startsWith(new URL(first).href) ? href : first;
}
