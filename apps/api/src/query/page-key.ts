import { hash } from 'node:crypto';
import { ServiceError } from '@takt/catalogue/errors';
import type { Field } from '@takt/catalogue/resources';
import type { Language } from '@takt/texts';
import { readWrittenInstant } from './instants.js';
import { valueTypeOf } from './resolve-fields.js';

/**
 * Which page a key leads to. A boundary is what the row beside the page is ordered by, its key among it; the row
 * itself is not on the page.
 */
export type PageStart =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | {
      readonly kind: 'after' | 'before';
      readonly boundary: readonly (string | number)[];
      /** Position of the page's first row (after), or of the row that follows its last one (before). */
      readonly position: number;
    };

/** What a key is good for: anything else that decides which rows there are and how they are ordered. */
export interface KeyedQuery {
  readonly resource: string;
  /** Of the path, and the values of the resource's own parameters, in order; undefined where there are none. */
  readonly identifiers: readonly (number | string)[] | undefined;
  readonly companyId: number | undefined;
  readonly filter: string;
  readonly orderBy: string;
  readonly search: string;
  /** undefined where every language has the same order. */
  readonly language: Language | undefined;
}

const KINDS = ['first', 'last', 'after', 'before'] as const;
const DIGEST_BYTES = 12;

/** A key as a text of A-Z a-z 0-9 - _: the hash of the query, a checksum, and the page. */
export function encodePageKey(start: PageStart, query: KeyedQuery): string {
  const content = Buffer.from(
    JSON.stringify(
      'boundary' in start
        ? [KINDS.indexOf(start.kind), start.position, ...start.boundary]
        : [KINDS.indexOf(start.kind)],
    ),
  );
  const owner = ownerOf(query);
  return Buffer.concat([owner, checksumOf(owner, content), content]).toString('base64url');
}

/**
 * Throws invalidPageKey for what is no key or was damaged, pageKeyOfOtherQuery for a key of another resource, parent, own
 * parameter, company, filter, order, search or, where that decides on the order, language. The checksum finds damage; it is
 * no protection, which a key does not need: it can lead to no row that the query itself does not give. So its content is
 * checked like any other input.
 */
export function decodePageKey(text: string, query: KeyedQuery, orderedBy: readonly Field[]): PageStart {
  if (!/^[\w-]+$/.test(text)) throw new ServiceError('invalidPageKey', {});
  const bytes = Buffer.from(text, 'base64url');
  const [owner, checksum, content] = [
    bytes.subarray(0, DIGEST_BYTES),
    bytes.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES),
    bytes.subarray(2 * DIGEST_BYTES),
  ];
  // Bits left over at the end of base64url would let several texts stand for one key.
  if (bytes.toString('base64url') !== text || !checksumOf(owner, content).equals(checksum)) {
    throw new ServiceError('invalidPageKey', {});
  }
  if (!ownerOf(query).equals(owner)) throw new ServiceError('pageKeyOfOtherQuery', {});
  const start = readContent(content.toString(), orderedBy);
  if (start === undefined) throw new ServiceError('invalidPageKey', {});
  return start;
}

/** undefined for what no key holds. */
function readContent(json: string, orderedBy: readonly Field[]): PageStart | undefined {
  const [kindNumber, position, ...boundary] = readArray(json);
  const kind = typeof kindNumber === 'number' ? KINDS[kindNumber] : undefined;
  if (kind === undefined || kind === 'first' || kind === 'last') return kind && { kind };
  const isWhole = boundary.length === orderedBy.length && orderedBy.every(isOf(boundary));
  return isPosition(position) && isWhole
    ? { kind, position, boundary: boundary as (string | number)[] }
    : undefined;
}

function readArray(json: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(json);
    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}

function isPosition(position: unknown): position is number {
  return Number.isSafeInteger(position) && Number(position) >= 1;
}

/** Whether a field can have the value that stands in its place: what the database would not take is no key. */
function isOf(boundary: readonly unknown[]): (field: Field, index: number) => boolean {
  return (field, index) => {
    const value = boundary[index];
    if (valueTypeOf(field) === 'instant') return typeof value === 'string' && isInstant(value);
    if (valueTypeOf(field) === 'text') return typeof value === 'string' && !value.includes('\0');
    return field.stored?.isSigned ? isBigint(value) : Number.isSafeInteger(value);
  };
}

/** Tests for an instant in UTC as PostgreSQL writes it into JSON. */
function isInstant(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+\+00:00$/.test(value) && readWrittenInstant(value) !== undefined;
}

/** Whether it is a bigint of PostgreSQL, as it writes it. */
function isBigint(value: unknown): boolean {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
  const number = BigInt(value);
  return BigInt.asIntN(64, number) === number && String(number) === value;
}

const owners = new WeakMap<KeyedQuery, Buffer>();

/** The hash of a query, made once for all keys of a page. */
function ownerOf(query: KeyedQuery): Buffer {
  const known = owners.get(query);
  if (known !== undefined) return known;
  const owner = digestOf(JSON.stringify(query));
  owners.set(query, owner);
  return owner;
}

/** Raised where content gets another meaning: keys from before are invalid, and do not lead to the wrong page. */
const CONTENT_VERSION = Buffer.from([2]);

/** Of all that a key holds: damage to the hash of the query must not pass for a key of another query. */
function checksumOf(owner: Buffer, content: Buffer): Buffer {
  return digestOf(Buffer.concat([CONTENT_VERSION, owner, content]));
}

function digestOf(content: string | Buffer): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, DIGEST_BYTES);
}
