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
  const event = text.length > MAX_PARSED_CHARACTERS ? undefined : parseOrKeep(text);
  const textOf = (name: 'source' | 'id' | 'type') => {
    if (typeof event !== 'object' || event === null) return null;
    const value: unknown = Object.entries(event).find(([key]) => key === name)?.[1];
    return typeof value === 'string' ? value : null;
  };
  return { source: textOf('source'), eventId: textOf('id'), type: textOf('type') };
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
