import { createHash } from 'node:crypto';
import { toListable } from '@takt/events';

/** The parts of an event that lists show; null if missing or not text. */
export interface EventIdentity {
  readonly source: string | null;
  readonly eventId: string | null;
  readonly type: string | null;
}

/** Events of the contract are far smaller; larger data are not parsed. */
const MAX_PARSED_CHARACTERS = 1_000_000;

/** The identity of the event in a job's data. */
export function identityOf(text: string): EventIdentity {
  return identityIn(text.length > MAX_PARSED_CHARACTERS ? undefined : parseOrKeep(text));
}

/** The identity and the company, parsing the data once. */
export function factsOf(text: string): EventIdentity & { readonly company: string | null } {
  const event = text.length > MAX_PARSED_CHARACTERS ? undefined : parseOrKeep(text);
  return { ...identityIn(event), company: companyIn(event) };
}

function identityIn(event: unknown): EventIdentity {
  return { source: textIn(event, 'source'), eventId: textIn(event, 'id'), type: textIn(event, 'type') };
}

/** The company of an event; null if it has none, or if the data are not a single event. */
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

/** A job's data as a value that serialises to the same JSON; text that is not JSON stays text. */
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

/** 32 bytes that depend on queue, job and data. */
export function contentHash(queue: string, jobId: string, text: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([queue, jobId, text]))
    .digest();
}
