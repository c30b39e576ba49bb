import { auditProductionTimes } from '@takt/figures';
import type pg from 'pg';
import postgres, { type Sql } from 'postgres';
import { expectedFigures, readFigures } from './expected-figures.js';
import type { Microhours, OperationHistory, RefusedEvents } from './operation-history.js';
import type { FailedJob, ObservedQueue } from './queue.js';

/** Maximum number of deviations that are listed for each kind. Further deviations are only counted. */
const SHOWN = 3;

/**
 * Compares the queue, the ledger and the figures with the expected state after a history.
 * The queue must be empty, and exactly the right events must be rejected, each of them once. Every operation must have
 * its newest revision. Every figure of every structure version must equal the figure that is computed here, and the
 * audit must confirm the figures.
 * Returns a sentence for each kind of deviation. The list is empty if every event had its effect exactly once.
 */
export async function findDeviations(
  pool: pg.Pool,
  queue: ObservedQueue,
  history: OperationHistory,
): Promise<string[]> {
  const { differences } = await auditProductionTimes(pool, { database: history.database });
  // The product reads through pg. Another driver shares no fault with it, such as in the parsing of a number.
  const sql = postgres(String(pool.options.connectionString), { max: 1 });
  const [ledger, figures] = [await compareLedger(sql, history), await readFigures(sql, history.database)];
  await sql.end({ timeout: 5 });
  return [
    ...describe('jobs left in the queue', await queue.describeUnfinished()),
    ...findWronglyRejected([...(await queue.listFailed()), ...(await listRejected(pool))], history.refused),
    ...describe('operations deviate', ledger),
    ...describe('totals deviate', compareMaps(figures, expectedFigures(history))),
    ...describe(
      'audit finds differences',
      differences.map((difference) => JSON.stringify(difference)),
    ),
  ];
}

/** Returns the rejected events. */
async function listRejected(pool: pg.Pool): Promise<readonly FailedJob[]> {
  const { rows } = await pool.query<FailedJob>(
    `SELECT rejection_id AS id, coalesce(event_type, 'none') AS name, reason, coalesce(event_id, 'none') AS "eventId"
     FROM takt.rejections WHERE state = 'open'`,
  );
  return rows;
}

function findWronglyRejected(failed: readonly FailedJob[], { always, oneOf }: RefusedEvents): string[] {
  const counts = new Map<string, number>();
  for (const { eventId } of failed) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  const countOf = (id: string) => counts.get(id) ?? 0;
  const contradicting = new Set(oneOf.flat());
  const wrong = failed.filter(({ eventId }) => !always.has(eventId) && !contradicting.has(eventId));
  return [
    ...describe(
      'jobs failed',
      wrong.map(({ id, name, reason }) => `${id} (${name}): ${reason}`),
    ),
    ...describe(
      'events not rejected once',
      [...always].filter((id) => countOf(id) !== 1).map((id) => `${id}: ${countOf(id)} times`),
    ),
    ...describe(
      'contradictions of which not one side is rejected, once',
      oneOf.filter(([one, other]) => countOf(one) + countOf(other) !== 1).map((pair) => pair.join(' and ')),
    ),
  ];
}

async function compareLedger(sql: Sql, { database, newest }: OperationHistory): Promise<string[]> {
  const rows = await sql.unsafe<{ operation: number; state: string }[]>(
    `SELECT work_order_operation_id::float8 AS operation,
       concat_ws(' ', revision, coalesce(product_structure_version_id::text, 'none'),
         ${['run_time', 'setup_time', 'cleanup_time']
           .map((column) => `coalesce(trim_scale(${column} * 1000000)::text, 'null')`)
           .join(', ')}) AS state
     FROM takt.work_order_operations JOIN takt.companies USING (company_id) WHERE code = $1`,
    [database],
  );
  const toText = (time: Microhours) => time?.toString() ?? 'null';
  const expected = new Map(
    Array.from(newest, ([operation, { revision, structureVersion, run, setup, cleanup }]) => [
      operation,
      [revision, structureVersion ?? 'none', ...[run, setup, cleanup].map(toText)].join(' '),
    ]),
  );
  return compareMaps(new Map(rows.map(({ operation, state }) => [operation, state])), expected);
}

function compareMaps(found: ReadonlyMap<number, string>, expected: ReadonlyMap<number, string>): string[] {
  const keys = new Set([...found.keys(), ...expected.keys()]);
  return Array.from(keys)
    .filter((key) => found.get(key) !== expected.get(key))
    .map((key) => `${key}: ${found.get(key) ?? 'missing'} instead of ${expected.get(key) ?? 'nothing'}`);
}

function describe(kind: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  return [`${all.length} ${kind}: ${all.slice(0, SHOWN).join('; ')}${all.length > SHOWN ? '; ...' : ''}`];
}

/**
 * Signs of an unhandled error in the output of a process: from Node.js itself, from a fatal line of pino, or from
 * BullMQ's fallback.
 */
const SIGNS = [
  /^Node\.js v\d/m,
  /"level":60/,
  /UnhandledPromiseRejection/,
  /Unexpected Error in AsyncFifoQueue/,
  /MaxListenersExceededWarning/,
];
const EXCERPT_LENGTH = 600;

/** Returns a sentence for each worker whose output shows an unhandled error. */
export function findCrashes(outputs: readonly string[]): string[] {
  return outputs.flatMap((output) => {
    const at = SIGNS.map((sign) => output.search(sign)).find((position) => position >= 0);
    if (at === undefined) return [];
    const from = Math.max(0, at - EXCERPT_LENGTH);
    return [`a worker wrote: ...${output.slice(from, at + EXCERPT_LENGTH)}`];
  });
}
