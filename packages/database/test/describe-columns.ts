import * as schema from '@takt/catalogue/schema';
import type { Database } from '@takt/database';
import { is, SQL } from 'drizzle-orm';
import { getTableConfig, PgDialect, PgTable } from 'drizzle-orm/pg-core';

const COLUMNS = `
  SELECT c.oid::regclass::text AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AS "isNotNull", a.attgenerated = '' AND d.oid IS NOT NULL AS "hasDefault",
    CASE a.attidentity WHEN 'a' THEN 'always' WHEN 'd' THEN 'byDefault' END AS identity,
    CASE WHEN a.attgenerated <> '' THEN pg_get_expr(d.adbin, d.adrelid) END AS "generatedAs"
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'takt'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`;

const PRIMARY_KEYS = `
  SELECT conrelid::regclass::text AS table,
    array(SELECT a.attname::text FROM unnest(conkey) WITH ORDINALITY AS key (attnum, place)
      JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = key.attnum ORDER BY place) AS columns
  FROM pg_constraint
  WHERE connamespace = 'takt'::regnamespace AND contype = 'p'`;

interface ColumnFacts {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isNotNull: boolean;
  readonly hasDefault: boolean;
  /** `always` or `byDefault`; null if the column is not an identity column. */
  readonly identity: string | null;
  readonly generatedAs: string | null;
}

interface KeyFacts {
  readonly table: string;
  readonly columns: readonly string[];
}

const tables = Object.values(schema).filter((value) => is(value, PgTable));

/** Describes all columns and primary keys that the drizzle schema declares, one in each line, sorted. */
export function describeDeclaredColumns(): readonly string[] {
  return tables.flatMap(describeDeclaredTable).sort();
}

function describeDeclaredTable(table: PgTable): readonly string[] {
  const config = getTableConfig(table);
  const name = `${config.schema}.${config.name}`;
  const keyOfOneColumn = config.columns.filter((column) => column.primary);
  const key = config.primaryKeys[0]?.columns ?? keyOfOneColumn;
  const columns = config.columns.map((column) =>
    describeColumn({
      table: name,
      column: column.name,
      type: column.getSQLType(),
      isNotNull: column.notNull,
      hasDefault: column.default !== undefined,
      identity: column.generatedIdentity?.type ?? null,
      generatedAs: toText(column.generated?.as),
    }),
  );
  return [...columns, describeKey({ table: name, columns: key.map((column) => column.name) })];
}

function toText(expression: unknown): string | null {
  if (expression === undefined) return null;
  const value: unknown = typeof expression === 'function' ? expression() : expression;
  return is(value, SQL) ? new PgDialect().sqlToQuery(value).sql : String(value);
}

/** Describes all columns and primary keys that the database has for these tables, one in each line, sorted. */
export async function describeDatabaseColumns(
  database: Pick<Database['pool'], 'query'>,
): Promise<readonly string[]> {
  const columns = await database.query<ColumnFacts>(COLUMNS);
  const keys = await database.query<KeyFacts>(PRIMARY_KEYS);
  const declared = new Set(tables.map((table) => `takt.${getTableConfig(table).name}`));
  const isDeclared = ({ table }: { readonly table: string }) => declared.has(table);
  return [
    ...columns.rows.filter(isDeclared).map(describeColumn),
    ...keys.rows.filter(isDeclared).map(describeKey),
  ].sort();
}

function describeColumn(facts: ColumnFacts): string {
  const parts = [`${facts.table}.${facts.column}`, facts.type.replaceAll(', ', ',')];
  if (facts.isNotNull) parts.push('not null');
  if (facts.hasDefault) parts.push('with a default');
  if (facts.identity !== null) parts.push(`identity ${facts.identity}`);
  if (facts.generatedAs !== null) parts.push(`generated as ${facts.generatedAs}`);
  return parts.join(' ');
}

function describeKey({ table, columns }: KeyFacts): string {
  return `${table} primary key (${columns.join(', ')})`;
}
