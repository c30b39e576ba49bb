import type { Database } from '@takt/database';
import type { Publisher } from '@takt/events';
import { generateEvents } from '@takt/events/generator';
import { addCompany } from '@takt/figures/master-data';
import type { DemoProduct } from './demo-event.js';
import { CommandError } from './errors.js';
import { createEventSender } from './event-sender.js';
import type { QueuesToAsk } from './queues.js';
import { waitUntilDrained } from './wait-until-drained.js';

interface DemoLoad {
  readonly database: Database;
  readonly publisher: Publisher;
  readonly queues: QueuesToAsk;
  readonly signal: AbortSignal;
  /** Called with the number of jobs that are done and the total number of jobs. */
  readonly onProgress: (jobsDone: number, jobs: number) => void;
}

const COMPANIES = [
  { code: 'TEM-NO', name: 'Tempus Norge' },
  { code: 'TEM-SE', name: 'Tempus Sverige' },
] as const;
const DEMO = { events: 20_000, structureVersions: 400, corrections: 0.03, duplicates: 0.01 };
const EVENTS_PER_JOB = 500;
const DRAIN_DEADLINE_MS = 300_000;

/** Registers the two companies of the demo. Safe to repeat. */
export async function registerDemoCompanies(database: Database): Promise<void> {
  for (const { code, name } of COMPANIES) await addCompany(database, code, name, { isDemo: true });
}

/**
 * Returns true if only companies of the demo are registered, and not all of its structure versions are there: an earlier
 * start ended before the demo was loaded.
 */
export async function isDemoUnfinished({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ is: boolean }>(
    `SELECT coalesce(bool_and(is_demo), false) AND (SELECT count(*) < $1 FROM takt.product_structure_versions) AS is
     FROM takt.companies`,
    [DEMO.structureVersions],
  );
  return rows[0]?.is === true;
}

function generateDemo(until?: string) {
  const companies = COMPANIES.map(({ code }) => code);
  return generateEvents({ ...DEMO, companies, until, keys: true });
}

/**
 * Returns the end of the demo's year: the instant at which its companies were registered. So if loading was cut off, a
 * later start generates the same events again.
 */
async function findDemoEnd({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ end: Date | null }>(
    'SELECT min(created_at) AS end FROM takt.companies WHERE is_demo',
  );
  const [{ end } = { end: null }] = rows;
  if (end === null) throw new CommandError('the companies of the demo are not registered');
  return end.toISOString();
}

/** Returns a product of the demo that is known before anything is stored. */
export function firstDemoProduct(companyCode: string): DemoProduct {
  for (const { type, data } of generateDemo()) {
    if (type === 'product-structure-version.changed.v1' && data.database === companyCode) {
      return {
        companyCode,
        structureVersionId: Number(data.productStructureVersionId),
        productName: data.name,
      };
    }
  }
  throw new Error(`the demo has no data of ${companyCode}`);
}

/**
 * Loads a year of invented events, until the companies were registered, through the queue and the worker, like any other
 * events. Resolves when all events are applied, or early if `signal` is aborted. It may be repeated, because duplicates
 * count only once.
 */
export async function loadDemoData(load: DemoLoad): Promise<void> {
  const { database, publisher, queues, signal, onProgress } = load;
  const sender = createEventSender(publisher.publish, {
    batchSize: EVENTS_PER_JOB,
    eventsPerSecond: undefined,
  });
  for (const event of generateDemo(await findDemoEnd(database))) {
    await sender.send(event);
  }
  await sender.flush();
  // Each call of the publisher may add one more job, because its events may belong to two queues.
  let jobs = Math.ceil(sender.published() / EVENTS_PER_JOB);
  const { isDrained } = await waitUntilDrained(queues, {
    timeoutMs: DRAIN_DEADLINE_MS,
    signal,
    onProgress: (left) => {
      jobs = Math.max(jobs, left);
      onProgress(jobs - left, jobs);
    },
  });
  if (!isDrained && !signal.aborted) {
    throw new CommandError(
      `the demo data was not taken in within ${DRAIN_DEADLINE_MS / 1_000} s: takt status shows what holds it up`,
    );
  }
}
