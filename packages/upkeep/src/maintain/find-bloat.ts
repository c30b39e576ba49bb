import type pg from 'pg';

export interface IndexSize {
  /** With its schema, quoted where that is needed. */
  readonly name: string;
  readonly bytes: number;
  /** As it would be, about, if it were made anew. */
  readonly expectedBytes: number;
}

/**
 * Valid B-trees of Takt and its queues, with what they would take if they were made anew: an entry is a line pointer, a
 * header and the widths that ANALYZE has found, and pages are filled as far as the index says. Entries that PostgreSQL
 * merges, of equal keys, are counted singly: it may expect too much, and not too little. (pgstattuple would measure, but
 * takes a superuser to install and reads the whole of each index.) An index of a table that was never analysed is left out.
 */
const SIZES = `
  WITH index_column AS (
    SELECT indexrelid, coalesce(
      CASE WHEN type.typlen > 0 THEN type.typlen END,
      (SELECT avg_width FROM pg_stats
       WHERE schemaname = nspname AND tablename = CASE WHEN indkey[attnum - 1] = 0 THEN index.relname ELSE class.relname END
         AND attname = CASE WHEN indkey[attnum - 1] = 0 THEN attribute.attname ELSE
           (SELECT attname FROM pg_attribute WHERE attrelid = indrelid AND attnum = indkey[attribute.attnum - 1]) END)
      ) AS width
    FROM pg_index
    JOIN pg_class index ON index.oid = indexrelid
    JOIN pg_class class ON class.oid = indrelid
    JOIN pg_namespace ON pg_namespace.oid = class.relnamespace
    JOIN pg_attribute attribute ON attrelid = indexrelid AND attnum > 0
    JOIN pg_type type ON type.oid = atttypid
    WHERE nspname IN ('takt', 'bullmq')
  ), index_width AS (
    -- One that is not known makes the whole unknown.
    SELECT indexrelid, CASE WHEN count(width) = count(*) THEN sum(width) END AS width
    FROM index_column GROUP BY indexrelid
  )
  SELECT format('%I.%I', nspname, relname) AS name, pg_relation_size(index.oid)::float8 AS bytes,
    8192 * (2 + ceil(greatest(reltuples, 0) * (4 + 8 * ceil((8 + width) / 8.0))
      / (8152 * coalesce(substring(array_to_string(reloptions, ',') FROM 'fillfactor=(\\d+)')::numeric, 90) / 100)))::float8
      AS "expectedBytes"
  FROM pg_index
  JOIN index_width USING (indexrelid)
  JOIN pg_class index ON index.oid = indexrelid
  JOIN pg_namespace ON pg_namespace.oid = relnamespace
  JOIN pg_am ON pg_am.oid = relam
  WHERE amname = 'btree' AND relkind = 'i' AND indisvalid AND reltuples >= 0 AND width IS NOT NULL
  ORDER BY name`;

/** What every B-tree takes, and should take. */
export async function measureIndexes(connection: pg.Pool | pg.ClientBase): Promise<readonly IndexSize[]> {
  return (await connection.query<IndexSize>(SIZES)).rows;
}

export interface BloatLimits {
  /** So many times what it would take anew. */
  readonly factor: number;
  /** And at least so much more. */
  readonly bytes: number;
}

/** Whether it pays to make an index anew. */
export function isBloated({ bytes, expectedBytes }: IndexSize, limits: BloatLimits): boolean {
  return bytes > limits.factor * expectedBytes && bytes - expectedBytes >= limits.bytes;
}
