import { ServiceError } from '@takt/catalogue/errors';
import { excerpt } from '@takt/query';
import { tooManyEvents, tooManyValues, tooManyValuesInEvent } from '../event-errors.js';

/** Of one request. */
export const MAX_EVENTS = 1_000;
/**
 * Of one event, extensions included; the contract has up to 40. Each level of nesting is a value, so this also bounds the
 * depth at which JSON.parse recurses.
 */
export const MAX_VALUES_PER_EVENT = 1_000;
/** Of all events of one request: an empty object takes 3 bytes here and 56 once it is parsed. */
export const MAX_VALUES = 100_000;

/** Where the JSON of one event stands in a body, and how many values it holds, itself included. */
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

/** What a byte means outside of a text; from SEPARATOR on it ends a value. */
const [OTHER, BLANK, QUOTE, OPENER, SEPARATOR, CLOSER] = [0, 1, 2, 3, 4, 5];
/** How much deeper what follows is. */
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
 * Finds the one event of a body, without making an object of anything. JSON that is invalid is found as well, and is left
 * to JSON.parse. Throws tooManyValuesInEvent.
 * @param givenValues what the event has beside the body, in headers
 */
export function findEvent(bytes: Buffer, givenValues = 0): EventPosition {
  return measure(bytes, { start: 0, end: bytes.length, values: 1 + givenValues }, 0);
}

/** The same for events of which each has a line; blank lines are none. Throws tooManyEvents too. */
export function findLines(bytes: Buffer): readonly EventPosition[] {
  const positions: EventPosition[] = [];
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    const found = bytes.indexOf(LINE_FEED, start);
    end = found < 0 ? bytes.length : found;
    if (!isBlank(bytes, start, end)) addPlace(positions, bytes, start, end);
  }
  return positions;
}

/** The same for the elements of an array. Throws bodyNotJson too, where the array itself is broken. */
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

/** Adds the next event of a request and gives its end. */
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

/** Throws tooManyValues at the event with which all hold more than they may together. Gives how many they hold. */
export function countValues(positions: readonly EventPosition[]): number {
  return positions.reduce((sum, { values }, index) => {
    if (sum + values > MAX_VALUES) throw tooManyValues(index, MAX_VALUES);
    return sum + values;
  }, 0);
}

/**
 * Counts the values of what stands at a place, in one pass and with nothing kept.
 * @param endDepth where a comma or bracket at this depth ends the event before the place ends
 */
function measure(bytes: Buffer, position: EventPosition, index: number, endDepth?: number): EventPosition {
  const { start, end } = position;
  let { values } = position;
  let depth = 0;
  // Whether the last bracket has nothing behind it so far: between n values stand n - 1 commas.
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

/** Where the quote is that ends a text. */
function endOfText(bytes: Buffer, start: number, end: number): number {
  let at = start;
  for (let byte = bytes[at]; at < end && byte !== QUOTE_BYTE; byte = bytes[at])
    at += byte === BACKSLASH ? 2 : 1;
  return at;
}

/** True if the bytes hold only whitespace as JSON defines it. */
export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  return skipBlanks(bytes, start, end) === end;
}

/** What begins with a bracket, whether it goes on as an array or not. */
export function beginsArray(bytes: Buffer): boolean {
  return bytes[skipBlanks(bytes, 0, bytes.length)] === OPEN_ARRAY;
}

function skipBlanks(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && meaningAt(bytes, at) === BLANK) at += 1;
  return at;
}

/** More than an excerpt shows, whatever the characters. */
const EXCERPT_BYTES = 1_000;

/** The body as a whole is no JSON. */
export function bodyNotJson(bytes: Buffer): ServiceError {
  const start = skipBlanks(bytes, 0, bytes.length);
  const found = excerpt(bytes.toString('utf8', start, start + EXCERPT_BYTES).trim());
  return new ServiceError('bodyNotJson', { found });
}
