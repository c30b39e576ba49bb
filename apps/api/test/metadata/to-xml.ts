/**
 * Writes an XML document with an element for each property, by the rules of the specification. It is independent of the
 * XML writer of the service.
 */
export function toXml(root: string, children: readonly (readonly [string, unknown])[]): string {
  const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  return `<?xml version="1.0" encoding="UTF-8"?><${root} ${xsi}>${children.map(element).join('')}</${root}>`;
}

/**
 * Writes an element for a property. The items of an array become elements with the name of the array without its final
 * s.
 */
function element([property, value]: readonly [string, unknown]): string {
  const name = property.slice(0, 1).toUpperCase() + property.slice(1);
  if (value === null) return `<${name} xsi:nil="true"/>`;
  return `<${name}>${contentOf(property, value)}</${name}>`;
}

function contentOf(property: string, value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => element([property.replace(/s$/, ''), item])).join('');
  }
  if (typeof value === 'object' && value !== null) return Object.entries(value).map(element).join('');
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
