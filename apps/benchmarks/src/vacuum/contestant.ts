import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import { type Random, randomFrom } from '@takt/test-support';
import pg from 'pg';
import { readCpuMs } from '../harness.js';
import { COMPANY } from '../read/fill-database.js';

export const TABLE = 'takt.product_structure_versions';

export interface Contestant {
  readonly name: string;
  /** After so many changed rows, as a share of all. */
  readonly vacuumAt: number;
  /** How far pages are filled when they are made, in percent; where it is not given, as migrated. */
  readonly indexFill?: number;
  readonly tableFill?: number;
}

interface Size {
  readonly tableBytes: number;
  readonly indexBytes: number;
}

export interface Result {
  readonly contestant: Contestant;
  readonly before: Size;
  readonly after: Size;
  /** Processor time of the backend an event, in microseconds, and that of its vacuums. */
  readonly applying: number;
  readonly vacuuming: number;
  /** Of the write-ahead log an event, vacuums counted. */
  readonly logBytes: number;
  /** Blocks that a page of 80 rows reads: before the last vacuum, and after one more. */
  readonly blocksBefore: number;
  readonly blocksAfter: number;
}

interface Entrant {
  take(batch: readonly Completion[]): Promise<void>;
  finish(): Promise<Result>;
}

interface Place {
  readonly url: string;
  readonly structures: number;
  readonly seed: number;
}

/** Makes the database as the contestant wants it, and measures on one connection what it takes. */
export async function openContestant(
  contestant: Contestant,
  { url, structures, seed }: Place,
): Promise<Entrant> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ask = (sql: string) => askNumber(client, sql);
  const random = randomFrom(seed);
  const pid = await ask('SELECT pg_backend_pid()');
  const use = async () => ({
    cpuMs: readCpuMs(pid),
    log: await ask("SELECT pg_current_wal_insert_lsn() - '0/0'"),
  });
  const readSize = async () => ({
    tableBytes: await ask(`SELECT pg_table_size('${TABLE}')`),
    indexBytes: await ask(`SELECT pg_indexes_size('${TABLE}')`),
  });
  const readBlocks = async () => {
    let blocks = 0;
    for (let page = 0; page < PAGES; page++) {
      blocks += await countBlocks(client, 1 + random.below(structures));
    }
    return blocks / PAGES;
  };

  await fillAs(client, contestant);
  const before = await readSize();
  const limit = contestant.vacuumAt * structures;
  let [events, changed, applyingMs, vacuumingMs, logBytes] = [0, 0, 0, 0, 0];
  let blocksBefore = 0;
  return {
    take: async (batch) => {
      const begun = await use();
      await applyWorkOrderOperationEvents(client, batch);
      const applied = await use();
      applyingMs += applied.cpuMs - begun.cpuMs;
      logBytes += applied.log - begun.log;
      events += batch.length;
      changed += new Set(batch.map(({ productStructureVersionId }) => productStructureVersionId)).size;
      if (changed < limit) return;
      changed = 0;
      blocksBefore = await readBlocks();
      const dirty = await use();
      await client.query(`VACUUM ${TABLE}`);
      const clean = await use();
      vacuumingMs += clean.cpuMs - dirty.cpuMs;
      logBytes += clean.log - dirty.log;
    },
    finish: async () => {
      const after = await readSize();
      await client.query(`VACUUM ${TABLE}`);
      const blocksAfter = await readBlocks();
      await client.end();
      return {
        contestant,
        before,
        after,
        applying: (applyingMs * 1000) / events,
        vacuuming: (vacuumingMs * 1000) / events,
        logBytes: logBytes / events,
        blocksBefore,
        blocksAfter,
      };
    },
  };
}

/** So many make a mean. */
const PAGES = 10;
const FIGURE = 'greatest(average_run_time, -1::bigint)';

/** Blocks that a page reads which begins at the average of a structure version. */
async function countBlocks(client: pg.Client, structureVersion: number): Promise<number> {
  const from = await askNumber(
    client,
    `SELECT ${FIGURE} FROM ${TABLE} WHERE company_id = 1 AND product_structure_version_id = ${structureVersion}`,
  );
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Record<string, number> }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM ${TABLE}
     WHERE company_id = 1 AND changed_at IS NOT NULL AND ${FIGURE} >= ${from}
     ORDER BY ${FIGURE}, product_structure_version_id LIMIT 80`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
  return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
}

/** What a statement gives that has one row of one column. */
async function askNumber(client: pg.Client, sql: string): Promise<number> {
  const { rows } = await client.query<[string]>({ text: sql, rowMode: 'array' });
  return Number(rows[0]?.[0]);
}

async function fillAs(client: pg.Client, { indexFill, tableFill }: Contestant): Promise<void> {
  if (indexFill !== undefined) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index
       WHERE indrelid = '${TABLE}'::regclass AND NOT indisunique`,
    );
    for (const { name } of rows) await client.query(`ALTER INDEX ${name} SET (fillfactor = ${indexFill})`);
    await client.query(`REINDEX TABLE ${TABLE}`);
  }
  if (tableFill !== undefined) {
    await client.query(`ALTER TABLE ${TABLE} SET (fillfactor = ${tableFill})`);
    await client.query(`VACUUM FULL ${TABLE}`);
  }
  await client.query(`VACUUM ANALYZE ${TABLE}`);
}

type Completion = Extract<WorkOrderOperationEvent, { readonly type: 'work-order-operation.completed.v1' }>;

interface Draw {
  /** Number of the first operation; the others follow. */
  readonly from: number;
  readonly size: number;
  readonly structures: number;
}

/** Completed operations of structure versions that are drawn evenly. */
export function drawBatch(random: Random, { from, size, structures }: Draw): readonly Completion[] {
  const hours = () => (0.1 + random.below(100_000) / 10_000).toFixed(6);
  return Array.from({ length: size }, (_, index) => ({
    type: 'work-order-operation.completed.v1' as const,
    database: COMPANY,
    workOrderOperationId: from + index,
    workOrderId: null,
    revision: 1,
    productStructureVersionId: 1 + random.below(structures),
    completedAt: '2026-01-15T12:00:00.000000Z',
    runTime: hours(),
    setupTime: hours(),
    cleanupTime: hours(),
  }));
}
