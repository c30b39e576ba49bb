import type { Resource } from '@takt/catalogue/resources';
import type { Database } from '@takt/database';
import { LRUCache } from 'lru-cache';
import type { DetailPage, ListPage } from '../representations/writer.js';
import { numberOf } from './data-stamp.js';

type Found = Promise<ListPage | DetailPage>;

/** The age from which a kept part is read again, in ms. */
const MAX_AGE_MS = 60_000;
const MAX_PARTS = 500;

/** The parts that were read through each pool. */
const partsOfPool = new WeakMap<Database['pool'], LRUCache<string, Found>>();

/**
 * Returns a part of a page that was read at most a minute ago, or reads it. It is for parts that sum up all data of a
 * company, such as its hours by month. At 100,000 structure versions, reading such a part takes a second.
 * @param shown the resource of the part, restricted to the fields that the reader may see
 * @param name everything else on which the part depends apart from the data
 */
export function keepPart(
  pool: Database['pool'],
  shown: Resource,
  name: readonly string[],
  read: () => Found,
): Found {
  const parts = partsOfPool.get(pool) ?? new LRUCache<string, Found>({ max: MAX_PARTS, ttl: MAX_AGE_MS });
  partsOfPool.set(pool, parts);
  const key = JSON.stringify([numberOf(shown), ...name]);
  const known = parts.get(key);
  if (known !== undefined) return known;
  const found = read();
  parts.set(key, found);
  found.catch(() => parts.delete(key));
  return found;
}
