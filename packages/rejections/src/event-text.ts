import { createHash } from 'node:crypto';
import { toListable } from '@takt/events/internal';

/** The parts by which lists identify an event. A part is null if it is missing or not text. */
export interface EventIdentity {
  readonly source: string | null;
  readonly eventId: string | null;
  readonly type: string | null;
  readonly company: string | null;
}

/** Data with more characters than this are not parsed. Events of the contract are far smaller. */
const MAX_PARSED_CHARACTERS = 1_000_000;

/**
 * Reads the identity of the event in a text, and the text without differences that JSON does not know: blanks and the
 * order of names, which a queue on PostgreSQL changes.
 */
export function readText(text: string): EventIdentity & { readonly normal: string } {
  if (text.length > MAX_PARSED_CHARACTERS) return { ...identityOf(undefined), normal: text };
  const event = eventOf(text);
  return {
    ...identityOf(event),
    normal: typeof event === 'string' ? text : JSON.stringify(event, withSortedNames),
  };
}

function withSortedNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function identityOf(event: unknown): EventIdentity {
  return {
    source: textIn(event, 'source'),
    eventId: textIn(event, 'id'),
    type: textIn(event, 'type'),
    company: companyIn(event),
  };
}

/** Returns the CloudEvents ids of the events in the data of a job. An id is null if it is missing or not text. */
export function eventIdsIn(text: string): readonly (string | null)[] {
  const data = parseOrKeep(text);
  return (Array.isArray(data) ? data : [data]).map((event: unknown) => textIn(event, 'id'));
}

/** Returns the company of an event. Returns null if the event has none, or if the data are not a single event. */
export function companyIn(event: unknown): string | null {
  return textIn(valueIn(event, 'data'), 'database');
}

function textIn(holder: unknown, name: string): string | null {
  const value = valueIn(holder, name);
  return typeof value === 'string' ? value : null;
}

function valueIn(holder: unknown, name: string): unknown {
  const isHeld = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name);
  return isHeld ? Reflect.get(holder, name) : undefined;
}

/** Returns the data of a job as a value that serialises to the same JSON. Text that is not JSON stays text. */
export function eventOf(text: string): unknown {
  return toListable(parseOrKeep(text));
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns a hash of 32 bytes that depends on the queue and on the event, but not on how its JSON is written. */
export function contentHash(queue: string, normal: string): Buffer {
  return createHash('sha256').update(`${queue}\n${normal}`).digest();
}
