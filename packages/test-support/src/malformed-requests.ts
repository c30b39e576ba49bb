import { request } from './raw-connection.js';

export interface MalformedRequest {
  readonly what: string;
  readonly text: string;
}

const H = 'Host: a\r\n';

/** Bytes that never become an HTTP request. Every server answers them with 400 and closes the connection. */
export const malformedRequests = (path: string): readonly MalformedRequest[] => [
  { what: 'no HTTP', text: 'hello\r\n\r\n' },
  { what: 'a TLS greeting', text: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' },
  { what: 'HTTP/0.9', text: `GET ${path}\r\n\r\n` },
  { what: 'HTTP/2', text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { what: 'an unknown version', text: `GET ${path} HTTP/9.7\r\n${H}\r\n` },
  { what: 'a method that is no word', text: `B(EW ${path} HTTP/1.1\r\n${H}\r\n` },
  { what: 'an unknown method of HTTP/2', text: `BREW ${path} HTTP/2.0\r\n${H}\r\n` },
  { what: 'an unknown method and no path', text: `BREW\r\n${H}\r\n` },
  { what: 'a space in the path', text: `GET ${path} x HTTP/1.1\r\n${H}\r\n` },
  { what: 'a control character in the path', text: `GET ${path}\x01 HTTP/1.1\r\n${H}\r\n` },
  { what: 'a header without a colon', text: `GET ${path} HTTP/1.1\r\n${H}broken\r\n\r\n` },
  { what: 'a space before the colon', text: `GET ${path} HTTP/1.1\r\n${H}Accept : a\r\n\r\n` },
  { what: 'a null byte in a header', text: `GET ${path} HTTP/1.1\r\n${H}Accept: a\0b\r\n\r\n` },
  { what: 'a folded header', text: `GET ${path} HTTP/1.1\r\n${H}Accept: a\r\n b\r\n\r\n` },
  { what: 'line feeds alone', text: `GET ${path} HTTP/1.1\nHost: a\n\n` },
  {
    what: 'two lengths',
    text: `GET ${path} HTTP/1.1\r\n${H}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  },
  {
    what: 'a length that is none',
    text: `GET ${path} HTTP/1.1\r\n${H}Content-Length: -1\r\n\r\n`,
  },
  {
    what: 'both Content-Length and Transfer-Encoding',
    text: `POST ${path} HTTP/1.1\r\n${H}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  },
  {
    what: 'an unknown Transfer-Encoding',
    text: `POST ${path} HTTP/1.1\r\n${H}Transfer-Encoding: chunked, identity\r\n\r\n`,
  },
  { what: 'a Host that is none', text: `GET ${path} HTTP/1.1\r\nHost: a@b/"<\r\n\r\n` },
  { what: 'an unknown expectation', text: request(path, { Expect: 'tea' }) },
];
