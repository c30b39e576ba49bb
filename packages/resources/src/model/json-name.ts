/** The JSON name of an XML element: only the first letter is lowered, so HTTPStatusCode is hTTPStatusCode. */
export function jsonName(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}
