import { hash } from 'node:crypto';
import { ServiceError } from '@takt/catalogue/errors';
import type { Field } from '@takt/catalogue/resources';
import type { Language } from '@takt/texts';
import { readWrittenInstant } from './instants.js';
import { valueTypeOf } from './resolve-fields.js';

/**
 * The place in a list where a page starts or ends, which a page key encodes. A page that is neither the first nor the
 * last is described by its boundary: the sort keys of the row next to the page, including that row's own key. That row
 * itself is not on the page.
 */
export type PageStart =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | {
      readonly kind: 'after' | 'before';
      readonly boundary: readonly (string | number)[];
      /**
       * For `after`, the position of the page's first row in the list; for `before`, the position of the row that
       * follows the page.
       */
      readonly position: number;
    };

/** The query for which a page key was made: all parts of a request that determine the rows and their order. */
export interface KeyedQuery {
  readonly resource: string;
  /**
   * The identifiers in the path, then the values of the resource's own parameters, in order. undefined if there are
   * neither.
   */
  readonly identifiers: readonly (number | string)[] | undefined;
  readonly companyId: number | undefined;
  readonly filter: string;
  readonly orderBy: string;
  readonly search: string;
  /** The reader's language; undefined if the order of the list is the same in all languages. */
  readonly language: Language | undefined;
}

const KINDS = ['first', 'last', 'after', 'before'] as const;
const DIGEST_BYTES = 12;

/**
 * Encodes a page key. It contains the hash of the query, a checksum and the page, in the characters A-Z a-z 0-9 - _.
 */
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
 * Decodes a page key. Throws invalidPageKey if the text is damaged or is not a page key. Throws pageKeyOfOtherQuery if
 * the key was made for a query with another resource, parent, own parameters, company, filter, order or search, or with
 * another language if the order depends on the language.
 * The checksum only detects damage. A key needs no protection against forgery, because it cannot lead to rows outside
 * of the query. But its content is validated like any other input.
 */
export function decodePageKey(text: string, query: KeyedQuery, orderedBy: readonly Field[]): PageStart {
  if (!/^[\w-]+$/.test(text)) throw new ServiceError('invalidPageKey', {});
  const bytes = Buffer.from(text, 'base64url');
  const [owner, checksum, content] = [
    bytes.subarray(0, DIGEST_BYTES),
    bytes.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES),
    bytes.subarray(2 * DIGEST_BYTES),
  ];
  // The last character of base64url may have unused bits, so several texts could stand for the same key. Only the
  // canonical text is accepted.
  if (bytes.toString('base64url') !== text || !checksumOf(owner, content).equals(checksum)) {
    throw new ServiceError('invalidPageKey', {});
  }
  if (!ownerOf(query).equals(owner)) throw new ServiceError('pageKeyOfOtherQuery', {});
  const start = readContent(content.toString(), orderedBy);
  if (start === undefined) throw new ServiceError('invalidPageKey', {});
  return start;
}

/** Reads the content of a page key. Returns undefined if the content is invalid. */
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

/**
 * Returns a function that checks whether a value of the boundary is possible for its field. The database would refuse
 * an impossible value.
 */
function isOf(boundary: readonly unknown[]): (field: Field, index: number) => boolean {
  return (field, index) => {
    const value = boundary[index];
    if (valueTypeOf(field) === 'instant') return typeof value === 'string' && isInstant(value);
    if (valueTypeOf(field) === 'text') return typeof value === 'string' && !value.includes('\0');
    return field.stored?.isSigned ? isBigint(value) : Number.isSafeInteger(value);
  };
}

/** True for an instant in UTC, written as PostgreSQL writes it in JSON. */
function isInstant(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+\+00:00$/.test(value) && readWrittenInstant(value) !== undefined;
}

/** True for a bigint, written as PostgreSQL writes it. */
function isBigint(value: unknown): boolean {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
  const number = BigInt(value);
  return BigInt.asIntN(64, number) === number && String(number) === value;
}

const owners = new WeakMap<KeyedQuery, Buffer>();

/** The hash of a query. It is computed only once for all the keys of a page. */
function ownerOf(query: KeyedQuery): Buffer {
  const known = owners.get(query);
  if (known !== undefined) return known;
  const owner = digestOf(JSON.stringify(query));
  owners.set(query, owner);
  return owner;
}

/**
 * The version of the content of page keys. Increase this version when the meaning of the content changes. Then older
 * keys become invalid, instead of leading to the wrong page.
 */
const CONTENT_VERSION = Buffer.from([2]);

/**
 * The checksum of a page key. It also covers the hash of the query. So a key whose hash is damaged is reported as
 * damaged, not as a key of another query.
 */
function checksumOf(owner: Buffer, content: Buffer): Buffer {
  return digestOf(Buffer.concat([CONTENT_VERSION, owner, content]));
}

function digestOf(content: string | Buffer): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, DIGEST_BYTES);
}
