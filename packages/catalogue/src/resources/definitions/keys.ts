import { inEveryLanguage } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import type { Field, TextIndex } from '../field.js';

/** The name in `$expand` that adds keys beside the identifiers. */
export const KEYS = 'Keys';

export const keyHeadings = inEveryLanguage('keys', {
  ProductKey: 'Product key',
  ProductStructureVersionKey: 'Structure version key',
  WorkOrderKey: 'Work order key',
  WorkOrderOperationKey: 'Operation key',
});

/** The kinds of objects whose keys have an index, as in takt.object_keys. */
type IndexedKind = 'product' | 'version';

/**
 * Options of a field with the key of an object.
 * @param from the SQL of the key; null if the object is named by a number
 */
export const keyOptions = (from: SQLWrapper) => ({ from, isNullable: true, expandedBy: KEYS }) as const;

/** An index that finds rows of the session's company by a key. `number` is the SQL of the object's number. */
export const keyIndex = (kind: IndexedKind, number: SQLWrapper): TextIndex => {
  const found = (pattern: SQLWrapper) =>
    sql`(SELECT takt.find_keys('${sql.raw(kind)}', ${pattern}))::bigint[]`;
  return {
    matching: (pattern, otherwise) =>
      sql`CASE WHEN takt.are_few_keys('${sql.raw(kind)}', ${pattern}) THEN ${number} = ANY (${found(pattern)}) ELSE ${otherwise} END`,
    among: (pattern) => sql`${number} IN (SELECT unnest(takt.find_keys('${sql.raw(kind)}', ${pattern})))`,
  };
};

/** The order of keys by their index, which has the objects of companies that name the kind by keys. */
export const keySorting = (kind: IndexedKind, key: SQLWrapper): NonNullable<Field['sorting']> => {
  const hasKeys = sql`takt.has_keys('${sql.raw(kind)}')`;
  return {
    key: sql`CASE WHEN ${hasKeys} THEN ${key} ELSE '' END`,
    condition: sql`(${key} IS NOT NULL OR NOT ${hasKeys})`,
  };
};
