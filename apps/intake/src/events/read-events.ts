import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import { ServiceError } from '@takt/catalogue/errors';
import { readUriReference } from '@takt/events/internal';
import { excerpt } from '@takt/query';
import {
  beginsArray,
  bodyNotJson,
  countValues,
  type EventPosition,
  findElements,
  findEvent,
  findLines,
  isBlank,
} from './find-events.js';

/** The events of a body. Their values have been counted, but they have not been parsed. */
interface EventsRead {
  readonly count: number;
  /** Number of values in all events together, see MAX_VALUES. */
  readonly values: number;
  /**
   * Parses the events one by one, so that only one event at a time exists as an object. A line that is not JSON is
   * returned as text. In another kind of body, the first event that is not JSON throws bodyNotJson.
   */
  readonly events: Iterable<unknown>;
}

/** Finds the events of a body. Throws a ServiceError if the body as a whole is unreadable or too large. */
export function readEvents(headers: IncomingHttpHeaders, body: Buffer): EventsRead {
  const { form, charset } = readContentType(headers['content-type'] ?? '');
  const bytes = readUtf8(body, charset);
  const isNothing = isBlank(bytes, 0, bytes.length);
  const read = (
    positions: readonly EventPosition[],
    make: (position: EventPosition) => unknown,
  ): EventsRead => ({
    count: positions.length,
    values: countValues(positions),
    events: map(positions, make),
  });
  const parse = ({ start, end }: EventPosition): unknown => {
    try {
      return JSON.parse(bytes.toString('utf8', start, end));
    } catch {
      throw bodyNotJson(bytes);
    }
  };
  if (form === 'either' && isBinaryMode(headers)) {
    return read([findEvent(bytes, countAttributes(headers))], (position) =>
      eventOfHeaders(headers, isNothing ? undefined : parse(position)),
    );
  }
  if (isNothing) throw new ServiceError('emptyBody');
  if (form === 'lines') return read(findLines(bytes), (position) => readLine(bytes, position));
  if (form !== 'one' && beginsArray(bytes)) return read(findElements(bytes), parse);
  const position = findEvent(bytes);
  if (form === 'array') {
    parse(position);
    throw new ServiceError('batchNotArray');
  }
  return read([position], parse);
}

function* map<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Generator<Made> {
  for (const item of items) yield make(item);
}

/** Parses a line. A line that is not JSON is returned as text: it is an invalid event, and its error shows the text. */
function readLine(bytes: Buffer, { start, end }: EventPosition): unknown {
  const line = bytes.toString('utf8', start, end);
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

/** The form of a body: one event, an array of events, either of these two, or one event per line. */
export type Form = 'one' | 'array' | 'either' | 'lines';

const FORMS: Readonly<Record<string, Form>> = {
  'application/cloudevents+json': 'one',
  'application/cloudevents-batch+json': 'array',
  'application/json': 'either',
  'application/x-ndjson': 'lines',
};

export const CONTENT_TYPES = Object.keys(FORMS);

export interface ContentType {
  readonly form: Form;
  /** The charset as it is written in the header. Default utf-8. */
  readonly charset: string;
}

const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"]*)"|([^;\s]*))/i;

/** Parses a Content-Type. Returns undefined if the type is not one of these. */
function readContentType(header: string): ContentType {
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const [, quoted, plain] = CHARSET.exec(header) ?? [];
  return { form: FORMS[type] ?? 'either', charset: quoted ?? plain ?? 'utf-8' };
}

const PREFIX = 'ce-';

/** Returns true if the headers have the attributes of an event, which is the binary mode of CloudEvents. */
export function isBinaryMode(headers: IncomingHttpHeaders): boolean {
  return countAttributes(headers) > 0;
}

/** Returns the number of attributes of an event that are in headers. */
function countAttributes(headers: IncomingHttpHeaders): number {
  return Object.keys(headers).filter((name) => name.startsWith(PREFIX)).length;
}

/**
 * Returns the event whose attributes are in headers and whose data are in the body, by the HTTP protocol binding of
 * CloudEvents 1.0 (3.1). The result has the form of structured mode.
 */
export function eventOfHeaders(
  headers: IncomingHttpHeaders,
  data: unknown,
): Readonly<Record<string, unknown>> {
  const attributes = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(PREFIX)
      ? [[name.slice(PREFIX.length), decodeAttribute(name, String(value))] as const]
      : [],
  );
  return {
    ...Object.fromEntries(attributes),
    datacontenttype: headers['content-type'],
    ...(data === undefined ? {} : { data }),
  };
}

/**
 * Decodes the value of a header. First removes double quotes, which senders before version 1.0.1 write, and then
 * decodes percent-encoding once. Percent signs that encode nothing stay, because some senders do not encode. Such
 * senders write the source as it is: if only the text before decoding is a URI reference, it is the source. Throws
 * headerNotText for invalid UTF-8.
 */
function decodeAttribute(header: string, value: string): string {
  const text = /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
  // Node.js reads each byte of a header as a character.
  const bytes = Buffer.from(text.replace(/%[0-9a-f]{2}/gi, byteOf), 'latin1');
  if (!isUtf8(bytes)) throw new ServiceError('headerNotText', { header });
  const decoded = bytes.toString('utf8');
  const isWritten = readUriReference(decoded) === undefined && readUriReference(text) !== undefined;
  return header === 'ce-source' && isWritten ? text : decoded;
}

const byteOf = (encoded: string): string => String.fromCharCode(Number.parseInt(encoded.slice(1), 16));

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Returns a body as UTF-8 without a byte order mark. Throws charsetNotTaken for another charset, or bodyNotText for
 * invalid bytes.
 */
function readUtf8(bytes: Buffer, charset: string): Buffer {
  if (charset.toLowerCase() !== 'utf-8') return Buffer.from(decode(bytes, decoderOf(charset)));
  if (!isUtf8(bytes)) throw new ServiceError('bodyNotText', { charset: 'utf-8' });
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

function decode(bytes: Buffer, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ServiceError('bodyNotText', { charset: decoder.encoding });
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new ServiceError('charsetNotTaken', { found: excerpt(charset) });
  }
}
