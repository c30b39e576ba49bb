import type pg from 'pg';
import type { Mapping } from './mapping.js';
import type { Fault, ImportedRow } from './records.js';

/** All rows of one operation or structure version, combined. */
export interface Combined {
  readonly object: string;
  readonly lines: readonly number[];
  readonly fields: Readonly<Record<string, string | number | null>>;
  readonly completedAt: string | null;
  /** Run, setup and cleanup time in hours, as decimal text with six decimals. */
  readonly times: readonly (string | null)[];
  readonly fault: Fault | null;
}

/**
 * The rows of a file are staged in temporary tables, which are as large as the file while the memory of this process stays
 * bounded. They belong to the transaction, so that a pooler may be between, and are joined with no other table, because a
 * cluster could not join them.
 */
const TABLES = `
  CREATE TEMP TABLE import_rows (line integer, object text, fields jsonb, completed_at timestamptz, run numeric, setup numeric,
    cleanup numeric, open integer[], fault text) ON COMMIT DROP`;

const FAULTS_TABLE = 'CREATE TEMP TABLE import_faults (object text, fault text) ON COMMIT DROP';

const ADD = `
  INSERT INTO import_rows SELECT * FROM json_to_recordset($1) AS (line integer, object text, fields jsonb,
    completed_at timestamptz, run numeric, setup numeric, cleanup numeric, open integer[], fault text)`;

const ROWS_PER_STATEMENT = 2_000;
const CHARACTERS_PER_STATEMENT = 2_000_000;

/** Stages all rows. Returns the number of rows that lie in the hour that occurs twice. */
export async function stageRows(
  session: pg.ClientBase,
  rows: AsyncIterable<ImportedRow>,
): Promise<{ readonly rows: number; readonly doubled: number }> {
  await session.query(TABLES);
  await session.query(FAULTS_TABLE);
  let [count, doubled] = [0, 0];
  let batch: object[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length > 0) await session.query(ADD, [JSON.stringify(batch)]);
    batch = [];
    characters = 0;
  };
  for await (const { line, object, fields, completedAt, times, fault, isDoubled } of rows) {
    const [run, setup, cleanup] = times.map(({ seconds }) => seconds);
    const open = times.map((time) => time.open);
    const row = {
      line,
      object: object === '' ? null : object,
      fields,
      completed_at: completedAt,
      run,
      setup,
      cleanup,
    };
    batch.push({
      ...row,
      open: `{${open.join()}}`,
      fault: fault === undefined ? null : JSON.stringify(fault),
    });
    count += 1;
    if (isDoubled) doubled += 1;
    characters += JSON.stringify(fields).length;
    if (batch.length === ROWS_PER_STATEMENT || characters > CHARACTERS_PER_STATEMENT) await flush();
  }
  await flush();
  return { rows: count, doubled };
}

const hours = (sum: string) => `round(${sum} / 3600, 6)`;

/**
 * SQL that combines the rows of each object. A rule of a fault begins with its code. A row whose object cannot be read stands
 * alone. If one row of an object is faulty, all are, because a sum without it would be wrong.
 */
const combined = (combine: Mapping['combine'], mayBeOpen: boolean) => `
  CREATE TEMP TABLE import_objects ON COMMIT DROP AS
  SELECT object, lines, fields, completed_at, ${hours('run')} AS run, ${hours('setup')} AS setup, ${hours('cleanup')} AS cleanup,
    coalesce(fault, CASE
      ${combine === 'error' ? "WHEN count > 1 THEN 'several'" : ''}
      ${combine === 'sum' ? "WHEN is_various THEN 'various'" : ''}
      WHEN completed_at IS NULL AND (${mayBeOpen} OR 0 < ANY (open)) THEN 'open'
      WHEN open <> '{0,0,0}' THEN 'unpaired'
      WHEN least(run, setup, cleanup) < 0 THEN 'negative'
      WHEN has_negative AND coalesce(run, 0) + coalesce(setup, 0) + coalesce(cleanup, 0) = 0 THEN 'cancelled'
    END) AS fault
  FROM (
    SELECT object, (array_agg(line ORDER BY line))[1:5] AS lines, count(*), max(fault) AS fault,
      ${
        combine === 'last'
          ? ['fields', 'completed_at', 'run', 'setup', 'cleanup', 'open']
              .map(
                (column) =>
                  `(array_agg(${column} ORDER BY completed_at DESC NULLS LAST, line DESC))[1] AS ${column}`,
              )
              .join()
              // An element of an array of arrays is no array.
              .replace(/\(array_agg\(open ([^)]+)\)\)\[1\]/, '((array_agg(open::text $1))[1])::integer[]')
          : `(array_agg(fields))[1] AS fields, max(completed_at) AS completed_at, sum(run) AS run, sum(setup) AS setup,
      sum(cleanup) AS cleanup, array[sum(open[1]), sum(open[2]), sum(open[3])]::integer[] AS open`
      },
      ${combine === 'sum' ? 'count(DISTINCT fields) > 1 AS is_various,' : ''}
      bool_or(least(run, setup, cleanup) < 0 AND open = '{0,0,0}') AS has_negative
    FROM import_rows GROUP BY object, CASE WHEN object IS NULL THEN line END
  ) AS object`;

/** Marks plans whose rows say different things about the same product: a product has one name, whatever version is made. */
const MARK_PRODUCTS = `
  WITH product AS (
    SELECT ctid, (fields ->> 'product.productKey', fields ->> 'product.productId') AS name,
      (SELECT jsonb_object_agg(key, value) FROM jsonb_each(fields) WHERE starts_with(key, 'product.')) AS content
    FROM import_objects WHERE fields ?| '{product.productKey,product.productId}'
  ), various AS (
    SELECT name FROM product GROUP BY name HAVING count(DISTINCT content) > 1
  )
  UPDATE import_objects SET fault = coalesce(fault, 'products')
  WHERE ctid IN (SELECT ctid FROM product WHERE name IN (SELECT name FROM various))`;

export async function combineRows(
  session: pg.ClientBase,
  { what, combine, columns }: Pick<Mapping, 'what' | 'combine' | 'columns'>,
): Promise<void> {
  const at = columns['completedAt'];
  const mayBeOpen = typeof at === 'object' && 'where' in at;
  await session.query(combined(combine, mayBeOpen));
  if (what === 'plans') await session.query(MARK_PRODUCTS);
}

/** Rules that several rows together can break. */
const RULES: Readonly<Record<string, string>> = {
  several: 'occurs in several lines: set combine to sum or last, or leave some out by where',
  various: 'has different values in its lines, apart from times',
  unpaired: 'has a start without an end, or an end without a start',
  negative: 'has less than no time, all lines together',
  cancelled: 'is cancelled by its own lines: leave them out by where',
  products: 'is of a product of which other lines say something else: its name, status, type or description',
};

/** The fault of operations that began and have not ended. They are left out. */
export const OPEN = 'open';

/** Yields the combined rows in order of their objects, some at a time. */
export async function* readCombined(
  session: pg.ClientBase,
  pageSize: number,
): AsyncGenerator<readonly Combined[]> {
  const objects = 'SELECT * FROM import_objects ORDER BY object COLLATE "C", lines';
  for await (const rows of pagesOf<CombinedRow>(session, 'combined', objects, pageSize)) {
    yield rows.map(({ object, lines, fields, completed_at: at, run, setup, cleanup, fault }) => ({
      object: object ?? '',
      lines,
      fields,
      times: [run, setup, cleanup],
      fault: faultOf(fault, object, lines),
      completedAt: at === null ? null : at.toISOString(),
    }));
  }
}

interface CombinedRow extends Pick<Combined, 'lines' | 'fields'> {
  readonly object: string | null;
  readonly completed_at: Date | null;
  readonly run: string | null;
  readonly setup: string | null;
  readonly cleanup: string | null;
  readonly fault: string | null;
}

interface FoundFault {
  readonly line: number;
  readonly fault: string;
  readonly object: string | null;
  readonly lines: readonly number[] | null;
}

async function* pagesOf<Row extends pg.QueryResultRow>(
  session: pg.ClientBase,
  cursor: string,
  sql: string,
  size: number,
): AsyncGenerator<Row[]> {
  await session.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    const { rows } = await session.query<Row>(`FETCH ${size} FROM ${cursor}`);
    if (rows.length === 0) break;
    yield rows;
  }
  await session.query(`CLOSE ${cursor}`);
}

function faultOf(fault: string | null, object: string | null, lines: readonly number[]): Fault | null {
  if (fault === null) return null;
  const rule = fault === OPEN ? OPEN : RULES[fault];
  if (rule === undefined) return JSON.parse(fault);
  return {
    column: '',
    rule: fault === OPEN ? OPEN : `${rule} (lines ${lines.join(', ')})`,
    value: object ?? '',
  };
}

/** Marks objects as faulty whose faults were found after they were combined. */
export async function markFaulty(
  session: pg.ClientBase,
  faults: readonly { readonly object: string; readonly fault: Fault }[],
): Promise<void> {
  if (faults.length === 0) return;
  await session.query('INSERT INTO import_faults SELECT * FROM unnest($1::text[], $2::text[])', [
    faults.map(({ object }) => object),
    faults.map(({ fault }) => JSON.stringify(fault)),
  ]);
}

export interface FaultyRow extends Fault {
  readonly line: number;
}

/** Yields all faulty rows by line, some at a time. */
export async function* readFaultyRows(session: pg.ClientBase): AsyncGenerator<readonly FaultyRow[]> {
  const faulty = `
    SELECT row.line, coalesce(row.fault, object.fault, later.fault) AS fault, row.object, object.lines
    FROM import_rows row
    LEFT JOIN import_objects object ON object.object = row.object
    LEFT JOIN import_faults later ON later.object = row.object
    WHERE coalesce(row.fault, object.fault, later.fault) <> '${OPEN}' ORDER BY row.line`;
  for await (const rows of pagesOf<FoundFault>(session, 'faulty', faulty, 1_000)) {
    yield rows.map(({ line, fault, object, lines }) => ({
      line,
      ...(faultOf(fault, object, lines ?? [line]) ?? { column: '', rule: '', value: '' }),
    }));
  }
}

/** Average times of the structure versions in a file of operations, in hours. */
export interface VersionAverage {
  readonly version: string;
  readonly operations: number;
  readonly runTime: number | null;
  readonly setupTime: number | null;
}

/** Yields the average times by structure version, some at a time. */
export async function* readAverages(
  session: pg.ClientBase,
  byKey: boolean,
): AsyncGenerator<readonly VersionAverage[]> {
  yield* pagesOf<VersionAverage>(
    session,
    'averages',
    `SELECT fields ->> 'productStructureVersion${byKey ? 'Key' : 'Id'}' AS version, count(*)::float8 AS operations,
       avg(run)::float8 AS "runTime", avg(setup)::float8 AS "setupTime"
     FROM import_objects object
     WHERE fault IS NULL AND NOT EXISTS (SELECT FROM import_faults WHERE import_faults.object = object.object)
     GROUP BY 1 ORDER BY 1`,
    1_000,
  );
}
