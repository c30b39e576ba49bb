import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/production-times';
import type pg from 'pg';
import { readCpuMs } from '../ingest/process-use.js';
import { type Servers, startServers } from '../ingest/servers.js';
import { makeWorkload } from '../ingest/workload.js';
import { cutBatches } from './batches.js';
import { type ApplyRow, type Sample, summarise, toMarkdown } from './report.js';

/** Of each row of the table in each round; a fifth of it where a batch holds one event. */
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 5_000);
const STRUCTURES = Number(process.env['BENCH_STRUCTURES'] ?? 300);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
const SIZES = [1, 30, 500, 1_000];
const DUPLICATES = [0, 0.01, 0.2];
const OUTPUT = new URL('../../../build-output/', import.meta.url);

const ROWS = [true, false].flatMap((hasStatistics) =>
  SIZES.flatMap((size) => DUPLICATES.map((duplicates) => ({ hasStatistics, size, duplicates }))),
);

process.stderr.write(
  `${EVENTS} events a row of ${STRUCTURES} structure versions, ${ROUNDS} rounds, seed ${SEED}, ${cpus().length} cores\n`,
);
const workload = makeWorkload(Math.ceil(EVENTS * SIZES.length * DUPLICATES.length * 1.1), STRUCTURES, SEED);
/** One event of each operation: what is a duplicate is decided by the row. */
const events = [...new Map(workload.parsed.map((event) => [event.workOrderOperationId, event])).values()];
const servers = await startServers(workload);
try {
  const samples: Sample[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Who comes first changes, so that none always meets the emptier database.
    const order = ROWS.map((_, place) => ROWS[(place + round * 5) % ROWS.length]).filter(
      (row) => row !== undefined,
    );
    for (const hasStatistics of round % 2 === 0 ? [true, false] : [false, true]) {
      const some = order.filter((row) => row.hasStatistics === hasStatistics);
      samples.push(...(await measureAll(servers, hasStatistics, some)));
    }
    process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
  }
  const summary = summarise(ROWS, samples);
  const markdown = toMarkdown(summary);
  await mkdir(OUTPUT, { recursive: true });
  await writeFile(new URL('apply.md', OUTPUT), markdown);
  const run = { events: EVENTS, structures: STRUCTURES, rounds: ROUNDS, seed: SEED, cores: cpus().length };
  await writeFile(
    new URL('apply.json', OUTPUT),
    `${JSON.stringify({ run, rows: summary, samples }, null, 2)}\n`,
  );
  process.stdout.write(markdown);
} finally {
  await servers.close();
}

/** On a database of their own and one connection, each row with operations that no other has. */
async function measureAll(
  { makeDatabase }: Servers,
  hasStatistics: boolean,
  rows: readonly ApplyRow[],
): Promise<readonly Sample[]> {
  const fresh = await makeDatabase();
  const client = await fresh.database.pool.connect();
  try {
    await client.query(
      hasStatistics ? 'ANALYZE takt.companies' : "SELECT pg_clear_relation_stats('takt', 'companies')",
    );
    const { rows: found } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = found[0]?.pid ?? 0;
    // The first batches make the plans.
    let next = 100;
    for (const event of events.slice(0, next)) await applyWorkOrderOperationEvents(client, [event]);
    const samples: Sample[] = [];
    for (const row of rows) {
      const count = Math.ceil((row.size === 1 ? EVENTS / 5 : EVENTS) * (1 - row.duplicates));
      samples.push({
        ...row,
        microseconds: await measureRow(client, pid, row, events.slice(next, next + count)),
      });
      next += count;
    }
    return samples;
  } finally {
    client.release();
    await fresh.close();
  }
}

/** CPU time of the backend for each event, duplicates counted, in microseconds. */
async function measureRow(
  client: pg.PoolClient,
  pid: number,
  row: ApplyRow,
  fresh: readonly WorkOrderOperationEvent[],
): Promise<number> {
  const batches = cutBatches(fresh, row);
  const before = readCpuMs(pid);
  for (const batch of batches) await applyWorkOrderOperationEvents(client, batch);
  return ((readCpuMs(pid) - before) * 1_000) / batches.flat().length;
}
