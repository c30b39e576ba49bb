import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '@takt/error-catalogue';
import { excerpt } from '@takt/query-options';
import { tooManyEvents } from '../faults.js';
import { eventOfHeaders, isBinaryMode } from './binary-mode.js';
import { readContentType } from './content-types.js';
import { readText } from './read-text.js';

/** Of one request. */
export const MAX_EVENTS = 1_000;

/**
 * The events that a body holds, in their order and not yet looked at; a line that is no JSON stands for itself, as text.
 * Throws a ServiceError where the body as a whole cannot be read.
 */
export function readEvents(headers: IncomingHttpHeaders, bytes: Buffer): readonly unknown[] {
  const { form, charset } = readContentType(headers['content-type'] ?? '');
  const text = readText(bytes, charset);
  if (form === 'either' && isBinaryMode(headers)) {
    return [eventOfHeaders(headers, isBlank(text) ? undefined : parse(text))];
  }
  if (isBlank(text)) throw new ServiceError('emptyBody');
  if (form === 'lines') return readLines(text);
  const value = parse(text);
  const events = Array.isArray(value) && form !== 'one' ? value : [value];
  if (form === 'array' && events !== value) throw new ServiceError('batchNotArray');
  if (events.length > MAX_EVENTS) throw tooManyEvents(MAX_EVENTS);
  return events;
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('bodyNotJson', { found: excerpt(text.trim()) });
  }
}

/** Blank lines are none. */
function readLines(text: string): readonly unknown[] {
  const events: unknown[] = [];
  for (const line of text.split('\n')) {
    if (isBlank(line)) continue;
    if (events.length === MAX_EVENTS) throw tooManyEvents(MAX_EVENTS);
    events.push(readLine(line));
  }
  return events;
}

/** What is no JSON is no event either, and is told of with what stands there. */
function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
