import { hash } from 'node:crypto';
import { ServiceError } from '@takt/catalogue/errors';
import type { Field } from '@takt/catalogue/resources';
import type { Language } from '@takt/texts';
import { readWrittenInstant } from './instants.js';
import { valueTypeOf } from './resolve-fields.js';

/**
 * The page that a key leads to. A boundary contains the sort keys of the row next to the page, including the row's own
 * key; that row is not on the page.
 */
export type PageStart =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | {
      readonly kind: 'after' | 'before';
      readonly boundary: readonly (string | number)[];
      /** Position of the page's first row (after), or of the row after its last one (before). */
      readonly position: number;
    };

/** The query that a key belongs to: all parts that determine rows and order. */
export interface KeyedQuery {
  readonly resource: string;
  /** Identifiers of the path, then values of the resource's own parameters, in order; undefined if there are none. */
  readonly identifiers: readonly (number | string)[] | undefined;
  readonly companyId: number | undefined;
  readonly filter: string;
  readonly orderBy: string;
  readonly search: string;
  /** undefined if the order is the same in all languages. */
  readonly language: Language | undefined;
}

const KINDS = ['first', 'last', 'after', 'before'] as const;
const DIGEST_BYTES = 12;

/** Encodes a key in A-Z a-z 0-9 - _: the hash of the query, a checksum, and the page. */
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
 * Decodes a key. Throws invalidPageKey for other or damaged text. Throws pageKeyOfOtherQuery if one of these differs:
 * the resource, parent, own parameters, company, filter, order, search, or the language if the order depends on it. The
 * checksum only detects damage: a key needs no protection, because it leads to no row outside of the query. So its
 * content is validated like any other input.
 */
export function decodePageKey(text: string, query: KeyedQuery, orderedBy: readonly Field[]): PageStart {
  if (!/^[\w-]+$/.test(text)) throw new ServiceError('invalidPageKey', {});
  const bytes = Buffer.from(text, 'base64url');
  const [owner, checksum, content] = [
    bytes.subarray(0, DIGEST_BYTES),
    bytes.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES),
    bytes.subarray(2 * DIGEST_BYTES),
  ];
  // Unused bits at the end of base64url would allow several texts for one key.
  if (bytes.toString('base64url') !== text || !checksumOf(owner, content).equals(checksum)) {
    throw new ServiceError('invalidPageKey', {});
  }
  if (!ownerOf(query).equals(owner)) throw new ServiceError('pageKeyOfOtherQuery', {});
  const start = readContent(content.toString(), orderedBy);
  if (start === undefined) throw new ServiceError('invalidPageKey', {});
  return start;
}

/** Reads the content of a key; undefined if it is invalid. */
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

/** Returns a check that a value of the boundary is possible for its field: the database would refuse other values. */
function isOf(boundary: readonly unknown[]): (field: Field, index: number) => boolean {
  return (field, index) => {
    const value = boundary[index];
    if (valueTypeOf(field) === 'instant') return typeof value === 'string' && isInstant(value);
    if (valueTypeOf(field) === 'text') return typeof value === 'string' && !value.includes('\0');
    return field.stored?.isSigned ? isBigint(value) : Number.isSafeInteger(value);
  };
}

/** True for an instant in UTC in PostgreSQL's JSON format. */
function isInstant(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+\+00:00$/.test(value) && readWrittenInstant(value) !== undefined;
}

/** True for a bigint in PostgreSQL's format. */
function isBigint(value: unknown): boolean {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
  const number = BigInt(value);
  return BigInt.asIntN(64, number) === number && String(number) === value;
}

const owners = new WeakMap<KeyedQuery, Buffer>();

/** The hash of a query, computed once for all keys of a page. */
function ownerOf(query: KeyedQuery): Buffer {
  const known = owners.get(query);
  if (known !== undefined) return known;
  const owner = digestOf(JSON.stringify(query));
  owners.set(query, owner);
  return owner;
}

/**
 * The version of the content. Increase it when the meaning of the content changes: older keys then become invalid
 * instead of leading to the wrong page.
 */
const CONTENT_VERSION = Buffer.from([2]);

/** The checksum covers the whole key, so that a key with a damaged hash is not taken for another query's key. */
function checksumOf(owner: Buffer, content: Buffer): Buffer {
  return digestOf(Buffer.concat([CONTENT_VERSION, owner, content]));
}

function digestOf(content: string | Buffer): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, DIGEST_BYTES);
}
