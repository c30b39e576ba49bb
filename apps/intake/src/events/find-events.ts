import { ServiceError } from '@takt/catalogue/errors';
import { excerpt } from '@takt/query';
import { tooManyEvents, tooManyValues, tooManyValuesInEvent } from '../event-errors.js';

/** Maximum number of events in a request. */
export const MAX_EVENTS = 1_000;
/**
 * Maximum number of values in an event, including extensions. An event of the contract has up to 40 values. Each level
 * of nesting is a value, so this also bounds the recursion of JSON.parse.
 */
export const MAX_VALUES_PER_EVENT = 1_000;
/**
 * Maximum number of values in all events of a request together. The limit is needed because parsing multiplies the
 * memory: an empty object takes 3 bytes as text and 56 bytes once parsed.
 */
export const MAX_VALUES = 100_000;

/**
 * The position of an event's JSON in a body, and the number of values in the event. The event itself counts as a value.
 */
export interface EventPosition {
  readonly start: number;
  readonly end: number;
  readonly values: number;
}

const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;

/** Classes of the bytes outside of strings. SEPARATOR and the classes after it end a value. */
const [OTHER, BLANK, QUOTE, OPENER, SEPARATOR, CLOSER] = [0, 1, 2, 3, 4, 5];
/** Change of the nesting depth for each class of bytes. */
const DEEPER = [0, 0, 0, 1, 0, -1];
const MEANINGS = new Uint8Array(256).fill(OTHER);
for (const [characters, meaning] of [
  ['\t\n\r ', BLANK],
  [',', SEPARATOR],
  ['[{', OPENER],
  [']}', CLOSER],
  ['"', QUOTE],
] as const) {
  for (const character of characters) MEANINGS[character.charCodeAt(0)] = meaning;
}

/**
 * Finds the only event of a body without parsing it. Invalid JSON is found as well; JSON.parse will refuse it. Throws
 * tooManyValuesInEvent.
 * @param givenValues number of values that are in headers
 */
export function findEvent(bytes: Buffer, givenValues = 0): EventPosition {
  return measure(bytes, { start: 0, end: bytes.length, values: 1 + givenValues }, 0);
}

/**
 * Finds events that are separated by line ends. Blank lines are skipped. Throws tooManyValuesInEvent and tooManyEvents.
 */
export function findLines(bytes: Buffer): readonly EventPosition[] {
  const positions: EventPosition[] = [];
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    const found = bytes.indexOf(LINE_FEED, start);
    end = found < 0 ? bytes.length : found;
    if (!isBlank(bytes, start, end)) addPlace(positions, bytes, start, end);
  }
  return positions;
}

/**
 * Finds the elements of an array. Throws tooManyValuesInEvent, tooManyEvents, and bodyNotJson if the array itself is
 * malformed.
 */
export function findElements(bytes: Buffer): readonly EventPosition[] {
  const positions: EventPosition[] = [];
  const first = skipBlanks(bytes, 0, bytes.length) + 1;
  let last = skipBlanks(bytes, first, bytes.length);
  if (bytes[last] !== CLOSE_ARRAY) {
    last = addPlace(positions, bytes, first, bytes.length, 0);
    while (bytes[last] === COMMA) {
      last = addPlace(positions, bytes, last + 1, bytes.length, 0);
    }
  }
  if (bytes[last] !== CLOSE_ARRAY || !isBlank(bytes, last + 1, bytes.length)) throw bodyNotJson(bytes);
  return positions;
}

/** Adds the position of the next event of a request, and returns the end of the event. */
function addPlace(
  positions: EventPosition[],
  bytes: Buffer,
  start: number,
  end: number,
  endDepth?: number,
): number {
  if (positions.length === MAX_EVENTS) throw tooManyEvents(MAX_EVENTS);
  const position = measure(bytes, { start, end, values: 1 }, positions.length, endDepth);
  positions.push(position);
  return position.end;
}

/** Returns the total number of values. Throws tooManyValues at the event with which the common limit is exceeded. */
export function countValues(positions: readonly EventPosition[]): number {
  return positions.reduce((sum, { values }, index) => {
    if (sum + values > MAX_VALUES) throw tooManyValues(index, MAX_VALUES);
    return sum + values;
  }, 0);
}

/**
 * Counts the values at a position, in one pass and without storing anything.
 * @param endDepth a comma or bracket at this depth ends the event before the end of the position
 */
function measure(bytes: Buffer, position: EventPosition, index: number, endDepth?: number): EventPosition {
  const { start, end } = position;
  let { values } = position;
  let depth = 0;
  // True directly after an opening bracket. It is needed because a list of n values has n - 1 commas, unless the list
  // is empty.
  let isEmpty = false;
  for (let at = start; at < end; at++) {
    const meaning = meaningAt(bytes, at);
    if (meaning === BLANK) continue;
    const isEnd = meaning >= SEPARATOR;
    if (isEnd && depth === endDepth) return { start, end: at, values };
    if (meaning === SEPARATOR || (isEmpty && !isEnd)) values += 1;
    if (values > MAX_VALUES_PER_EVENT) throw tooManyValuesInEvent(index, MAX_VALUES_PER_EVENT, at);
    isEmpty = meaning === OPENER;
    depth += DEEPER[meaning] ?? 0;
    if (meaning === QUOTE) at = endOfText(bytes, at + 1, end);
  }
  return { start, end, values };
}

function meaningAt(bytes: Buffer, at: number): number {
  return MEANINGS[bytes[at] ?? 0] ?? OTHER;
}

const QUOTE_BYTE = 0x22;

/** Returns the position of the closing quote of a string. */
function endOfText(bytes: Buffer, start: number, end: number): number {
  let at = start;
  for (let byte = bytes[at]; at < end && byte !== QUOTE_BYTE; byte = bytes[at])
    at += byte === BACKSLASH ? 2 : 1;
  return at;
}

/** Returns true if the bytes contain only JSON whitespace. */
export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  return skipBlanks(bytes, start, end) === end;
}

/** Returns true if the body begins with a bracket, even if it is not a valid array. */
export function beginsArray(bytes: Buffer): boolean {
  return bytes[skipBlanks(bytes, 0, bytes.length)] === OPEN_ARRAY;
}

function skipBlanks(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && meaningAt(bytes, at) === BLANK) at += 1;
  return at;
}

/** Number of bytes that are read for an excerpt. In any encoding they are more than an excerpt shows. */
const EXCERPT_BYTES = 1_000;

export function bodyNotJson(bytes: Buffer): ServiceError {
  const start = skipBlanks(bytes, 0, bytes.length);
  const found = excerpt(bytes.toString('utf8', start, start + EXCERPT_BYTES).trim());
  return new ServiceError('bodyNotJson', { found });
}
