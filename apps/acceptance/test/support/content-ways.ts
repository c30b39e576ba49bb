import { gzipSync } from 'node:zlib';
import { readUriReference } from '@takt/events/internal';
import type { CorpusEvent } from '@takt/test-support';

/** Headers and body of a request to the intake, without the header for the token. */
export interface IntakeRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** An event as JSON text on one line. */
export type EventText = Pick<CorpusEvent, 'json'>;

/** A way to send events in a request. It consists of a content type and an optional compression. */
export interface ContentWay {
  readonly name: string;
  /** Maximum number of events in a request. undefined if only the size of the request limits the number. */
  readonly eventsARequest?: 1;
  /** Returns the reason why this way cannot carry an event, or undefined if it can. */
  readonly whyNot: (event: CorpusEvent) => string | undefined;
  /** Attributes that this way adds to each event. */
  readonly adds?: Readonly<Record<string, string>>;
  readonly toRequest: (events: readonly EventText[]) => IntakeRequest;
}

const always = () => undefined;
const jsonOf = (events: readonly EventText[]) => events.map(({ json }) => json);
const batch = (contentType: string) => (events: readonly EventText[]) => ({
  headers: { 'Content-Type': contentType },
  body: `[${jsonOf(events).join(',')}]`,
});
const BATCH = 'application/cloudevents-batch+json';

export const contentWays: readonly [ContentWay, ...ContentWay[]] = [
  { name: 'a batch of CloudEvents', whyNot: always, toRequest: batch(BATCH) },
  {
    name: 'a batch of CloudEvents in gzip',
    whyNot: always,
    toRequest: (events) => ({
      headers: { 'Content-Type': BATCH, 'Content-Encoding': 'gzip' },
      body: gzipSync(`[${jsonOf(events).join(',')}]`),
    }),
  },
  { name: 'an array of JSON', whyNot: always, toRequest: batch('application/json') },
  {
    name: 'lines of JSON',
    whyNot: always,
    toRequest: (events) => ({
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: jsonOf(events).join('\n'),
    }),
  },
  {
    name: 'a CloudEvent in structured mode',
    eventsARequest: 1,
    whyNot: always,
    toRequest: (events) => ({
      headers: { 'Content-Type': 'application/cloudevents+json; charset=utf-8' },
      body: jsonOf(events).join(''),
    }),
  },
  {
    name: 'an object of JSON',
    eventsARequest: 1,
    whyNot: ({ json }) => (json.startsWith('[') ? 'an array holds events of its own' : undefined),
    toRequest: (events) => ({
      headers: { 'Content-Type': 'application/json' },
      body: jsonOf(events).join(''),
    }),
  },
  {
    name: 'a CloudEvent in binary mode',
    eventsARequest: 1,
    whyNot: whyNotInHeaders,
    adds: { datacontenttype: 'application/json' },
    toRequest: inHeaders,
  },
];

const ATTRIBUTES: ReadonlySet<string> = new Set(['specversion', 'id', 'source', 'type', 'time']);

/**
 * Returns the reason why binary mode cannot carry an event. In binary mode the event must be an object. Its attributes
 * are sent as headers, so they must be Unicode text. A text that is no source, but whose encoding is one, arrives as its
 * encoding, because some senders do not encode their sources.
 */
function whyNotInHeaders({ json }: CorpusEvent): string | undefined {
  const event: unknown = JSON.parse(json);
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return 'no object';
  const attributes = Object.entries(event).filter(([name]) => name !== 'data');
  if (attributes.length === 0) return 'no attribute, so no sign of the mode';
  if (attributes.some(([name]) => !ATTRIBUTES.has(name))) return 'a name that no attribute may have';
  if (attributes.some(([, value]) => typeof value !== 'string')) return 'an attribute that is no text';
  if (attributes.some(([, value]) => /\p{Surrogate}/u.test(value))) return 'half a character in a header';
  const source = String(Object.fromEntries(attributes)['source'] ?? '');
  const isSource = (text: string) => readUriReference(text) !== undefined;
  return !isSource(source) && isSource(encodeURIComponent(source))
    ? 'a source only when it is encoded'
    : undefined;
}

/**
 * Puts the attributes of an event into headers and its data into the body. Keeps the text of the data, which comes last
 * in an event, because parsing and writing would change 1e400.
 */
function inHeaders([event]: readonly EventText[]): IntakeRequest {
  const { json } = event ?? { json: '{}' };
  const attributes = Object.entries<string>(JSON.parse(json)).filter(([name]) => name !== 'data');
  const headers = attributes.map(([name, value]) => [`ce-${name}`, encodeURIComponent(value)]);
  const start = json.indexOf('"data":');
  const body = start < 0 ? '' : json.slice(start + '"data":'.length, -1);
  return { headers: { ...Object.fromEntries(headers), 'Content-Type': 'application/json' }, body };
}
