import { cpus } from 'node:os';
import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import type pg from 'pg';
import { median, readCpuMs, report, say, table } from '../harness.js';
import { makeWorkload, type Servers, startServers } from '../ingest/servers.js';

/** Of each row of the table in each round; a fifth of it where a batch holds one event. */
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 5_000);
const STRUCTURES = Number(process.env['BENCH_STRUCTURES'] ?? 300);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
const SIZES = [1, 30, 500, 1_000];
const DUPLICATES = [0, 0.01, 0.2];

/** A row of the table: batches of `size` events, of which the share `duplicates` was applied before. */
interface ApplyRow {
  readonly hasStatistics: boolean;
  readonly size: number;
  readonly duplicates: number;
}

/** What an event took in one round: CPU time of the backend in microseconds. */
interface Sample extends ApplyRow {
  readonly microseconds: number;
}

interface RowSummary extends Sample {
  /** To the row of the same size and statistics without duplicates. */
  readonly ratio: number;
}

/** How much dearer an event may be for duplicates in its batch. */
const MAX_RATIO = 1.5;

const ROWS: readonly ApplyRow[] = [true, false].flatMap((hasStatistics) =>
  SIZES.flatMap((size) => DUPLICATES.map((duplicates) => ({ hasStatistics, size, duplicates }))),
);

say(
  `${EVENTS} events a row of ${STRUCTURES} structure versions, ${ROUNDS} rounds, seed ${SEED}, ${cpus().length} cores`,
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
    say(`round ${round + 1} of ${ROUNDS}`);
  }
  const summary = summarise(ROWS, samples);
  const run = { events: EVENTS, structures: STRUCTURES, rounds: ROUNDS, seed: SEED, cores: cpus().length };
  await report('apply', toMarkdown(summary), { run, rows: summary, samples });
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

/**
 * Cuts events into batches of `size`, of which the share `duplicates` came in an earlier batch already: spread evenly
 * over the batches, and inside a batch over its places.
 */
function cutBatches(
  fresh: readonly WorkOrderOperationEvent[],
  { size, duplicates }: { readonly size: number; readonly duplicates: number },
): readonly (readonly WorkOrderOperationEvent[])[] {
  const batches: WorkOrderOperationEvent[][] = [[]];
  let owed = 0;
  let taken = 0;
  let repeated = 0;
  while (taken < fresh.length) {
    let batch = batches.at(-1) ?? [];
    if (batch.length === size) {
      batch = [];
      batches.push(batch);
    }
    // What stands in this batch is no event of an earlier one.
    const known = taken - batch.length;
    owed += duplicates;
    const event = owed >= 1 && known > 0 ? fresh[(repeated * 7) % known] : fresh[taken];
    if (event === undefined) break;
    if (event === fresh[taken]) {
      taken += 1;
    } else {
      owed -= 1;
      repeated += 1;
    }
    batch.push(event);
  }
  return batches;
}

/** The median of each row over the rounds. */
function summarise(rows: readonly ApplyRow[], samples: readonly Sample[]): readonly RowSummary[] {
  const isSame = (one: ApplyRow, other: ApplyRow) =>
    one.hasStatistics === other.hasStatistics &&
    one.size === other.size &&
    one.duplicates === other.duplicates;
  const middle = (row: ApplyRow) =>
    median(samples.filter((sample) => isSame(sample, row)).map(({ microseconds }) => microseconds));
  return rows.map((row) => {
    const microseconds = middle(row);
    return { ...row, microseconds, ratio: microseconds / middle({ ...row, duplicates: 0 }) };
  });
}

function toMarkdown(rows: readonly RowSummary[]): string {
  const cells = rows.map(({ size, duplicates, hasStatistics, microseconds, ratio }) => [
    ...[
      size,
      `${duplicates * 100} %`,
      hasStatistics ? 'yes' : 'no',
      microseconds.toFixed(1),
      ratio.toFixed(2),
    ],
  ]);
  const titles = [
    'events a batch:',
    'duplicates:',
    'statistics of companies',
    'backend CPU µs/event:',
    'to 0 %:',
  ];
  const highest = Math.max(...rows.map(({ ratio }) => ratio));
  return [
    ...table(titles, cells),
    `Highest ratio ${highest.toFixed(2)}, at most ${MAX_RATIO} is wanted.`,
    '',
  ].join('\n');
}
