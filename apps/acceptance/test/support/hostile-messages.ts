import type { Random } from '@takt/test-support';
import { hostileQuery } from './hostile-queries.js';
import { hostileTexts } from './hostile-texts.js';

/** A complete HTTP message, as the client sends it over the connection. */
export interface HostileMessage {
  readonly text: string;
  readonly method: string;
}

const METHODS = [
  ...['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'],
  ...['PATCH', 'TRACE'],
  ...['PROPFIND', 'SEARCH', 'PURGE', 'M-SEARCH', 'BREW', 'get', 'G\u0000T'],
];

const OTHER_TARGETS = [
  ...['/openapi.json', '/schema.xsd', '/docs', '/docs/resources/6215', '/health/live', '/health/ready'],
  ...['/metrics'],
  ...['*', '/', '//', '/%', '/docs/../metrics', 'http://a/docs', 'a:1', '?', '#'],
  ...['/openapi.json?$format=xml'],
];

/** Values for each header: usual values, and values that have broken servers. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'Accept-Encoding': [
    ...['gzip', 'br', 'gzip, br', 'identity', '*', '', 'identity;q=0', '*;q=0', 'gzip;q=0'],
    ...['identity;q=0, gzip;q=0'],
    ...['br;q=0.5, *;q=0', 'deflate', 'zstd', 'gzip;q=NaN', 'gzip;q=-1', 'gzip;q=1e9', ';', ',,,'],
    ...['gzip;;q=;', '\u00ff'],
  ],
  Accept: [
    ...['application/json', 'application/xml', 'text/html', '*/*', 'text/*;q=0.1'],
    ...['application/xml;charset=utf-8', ''],
    ...['*/*;q=0', 'application/json;q=0', 'a', '/', ';', 'text/html;level=1;q=x', 'image/png', '*', ',,'],
    ...['"', 'a/b/c'],
  ],
  'Accept-Language': [
    ...['de', 'nb-NO, nn;q=0.5', '*', '*;q=0', 'xx', '', ';q=', 'de;q=9', '\u00e6', 'x'.repeat(500)],
  ],
  Range: [
    ...['bytes=0-1', 'bytes=-1', 'bytes=9-1', 'bytes=0-,0-,0-', 'rows=1-2', ''],
    ...['bytes=99999999999999999999-'],
  ],
  'If-Range': ['"a"', 'W/"a"', 'Fri, 01 Jan 2021 00:00:00 GMT'],
  'If-None-Match': ['*', '"a"', 'W/"a"', '"a", W/"b"', '', '"', 'W/', '"'.repeat(999), ',', '\\"'],
  'If-Match': ['*', '"a"', ''],
  'If-Modified-Since': ['Fri, 01 Jan 2021 00:00:00 GMT', 'never', '0', ''],
  Authorization: [
    ...['', 'Bearer', 'Bearer ', 'Bearer x', 'Basic eDp5', 'bearer a b', 'Bearer takt_'],
    ...[`Bearer ${'x'.repeat(999)}`],
    ...['Digest a="b"', 'Bearer \u00ff', 'null', 'Negotiate'],
  ],
  Host: ['a', '', 'a:99999', 'a@b', 'a/b', '[::1]', '[', 'a b', 'x'.repeat(300), '\u00ff', 'evil.example'],
  Expect: ['100-continue', '100-CONTINUE', 'tea', '', '200-ok'],
  Connection: ['close', 'keep-alive', 'Upgrade', 'close, keep-alive', '', 'x', 'Transfer-Encoding', 'Host'],
  Upgrade: ['h2c', 'websocket', 'TLS/1.0', ''],
  'Transfer-Encoding': ['chunked', 'identity', 'gzip, chunked', 'chunked, chunked', '', 'x', 'Chunked '],
  'Content-Length': ['0', '1', '5', '-1', '1e3', '99999999999', '18446744073709551616', '', '0, 0', '+1'],
  'Content-Type': ['application/json', 'x', ''],
  Origin: ['https://a.test', 'null', '*', '', 'https://a.test, https://b.test', '\u00ff'],
  'Access-Control-Request-Method': ['GET', 'POST', '', 'x'],
  'Access-Control-Request-Headers': ['authorization', '*', ''],
  'X-Request-Id': ['mine', '', 'a b', 'x'.repeat(99), '<b>', 'takt_x'],
  TE: ['trailers', 'gzip', ''],
  Trailer: ['Host', 'X'],
  Cookie: ['a=b', ';;;'],
  Forwarded: ['for=1', 'host=evil.example'],
  'X-Forwarded-Host': ['evil.example'],
  'X-HTTP-Method-Override': ['DELETE'],
  'Cache-Control': ['no-cache', 'max-age=0', 'only-if-cached'],
  Prefer: ['return=minimal'],
  'Sec-Fetch-Mode': ['navigate'],
};

const BODIES = [
  ...['', '', '', 'x', '12345', '0\r\n\r\n', '5\r\n12345\r\n0\r\n\r\n', 'ffffffffffffffff\r\n'],
  ...['5;a=b\r\n1'],
];

/**
 * Builds a message from a method, a target, a version, any headers and a body. Some of these parts are usual, and
 * others have broken servers. Equal random numbers give equal messages. Most messages carry the token, so that they
 * reach a resource.
 */
export function hostileMessage(random: Random, token: string): HostileMessage {
  const { pick } = random;
  const method = pick(METHODS);
  const target = random() < 0.2 ? pick(OTHER_TARGETS) : hostileQuery(random).target;
  const version =
    random() < 0.97 ? 'HTTP/1.1' : pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 ', 'http/1.1', '']);
  const lines = random() < 0.95 ? ['Host: takt.test'] : [];
  if (random() < 0.7) lines.push(`Authorization: Bearer ${token}`);
  for (let count = random.below(4); count > 0; count -= 1) lines.push(hostileHeader(random));
  const body = pick(BODIES);
  if (body !== '' && random() < 0.5) lines.push(`Content-Length: ${body.length}`);
  const ending = random() < 0.998 ? '\r\n' : pick(['\n', '\r', '\r\n\r\n']);
  return {
    method,
    text: `${method} ${target} ${version}${ending}${lines.join(ending)}${ending}${ending}${body}`,
  };
}

function hostileHeader(random: Random): string {
  const name = random.pick(Object.keys(HEADERS));
  const value = random() < 0.85 ? random.pick(HEADERS[name] ?? ['']) : random.pick(hostileTexts);
  const written =
    random() < 0.9 ? name : random.pick([name.toUpperCase(), `${name} `, ` ${name}`, '', `${name}\u0000`]);
  return `${written}: ${random() < 0.02 ? value.repeat(200) : value}`;
}
