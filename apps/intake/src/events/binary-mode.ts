import type { IncomingHttpHeaders } from 'node:http';

const PREFIX = 'ce-';

/** Whether headers carry an event's attributes: CloudEvents' binary mode. */
export function isBinaryMode(headers: IncomingHttpHeaders): boolean {
  return countAttributes(headers) > 0;
}

/** How many attributes of an event headers carry. */
export function countAttributes(headers: IncomingHttpHeaders): number {
  return Object.keys(headers).filter((name) => name.startsWith(PREFIX)).length;
}

/**
 * One event of its attributes in the headers and its data in the body, as the HTTP protocol binding of CloudEvents 1.0
 * (3.1) has it: as it would be in structured mode.
 */
export function eventOfHeaders(
  headers: IncomingHttpHeaders,
  data: unknown,
): Readonly<Record<string, unknown>> {
  const attributes = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), decode(String(value))] as const] : [],
  );
  return {
    ...Object.fromEntries(attributes),
    datacontenttype: headers['content-type'],
    ...(data === undefined ? {} : { data }),
  };
}

/**
 * First what stands between double quotes, as senders of before 1.0.1 write it; then one round of percent-decoding. What
 * is no percent-encoded UTF-8 stays as it is: some senders encode nothing.
 */
function decode(value: string): string {
  const text = /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
