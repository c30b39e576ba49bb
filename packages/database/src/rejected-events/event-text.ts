import { createHash } from 'node:crypto';
import { toListable } from '@takt/events';

/** What a list shows of an event: null where it holds no text there, or is no event. */
export interface EventIdentity {
  readonly source: string | null;
  readonly eventId: string | null;
  readonly type: string | null;
}

/** No event of the contract comes near; what is larger is not parsed for three short texts. */
const MAX_PARSED_CHARACTERS = 1_000_000;

/** What a job's data call themselves. */
export function identityOf(text: string): EventIdentity {
  return identityIn(text.length > MAX_PARSED_CHARACTERS ? undefined : parseOrKeep(text));
}

/** The same and the company, for who reads thousands: the data are parsed once. */
export function factsOf(text: string): EventIdentity & { readonly company: string | null } {
  const event = text.length > MAX_PARSED_CHARACTERS ? undefined : parseOrKeep(text);
  return { ...identityIn(event), company: companyIn(event) };
}

function identityIn(event: unknown): EventIdentity {
  return { source: textIn(event, 'source'), eventId: textIn(event, 'id'), type: textIn(event, 'type') };
}

/** The company that an event names; null where it names none, or where a job's data are no single event. */
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

/** A job's data as a value that is written as JSON again without becoming another event; text that is no JSON as text. */
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

/** 32 bytes that differ where queue, job or data do. */
export function contentHash(queue: string, jobId: string, text: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([queue, jobId, text]))
    .digest();
}
