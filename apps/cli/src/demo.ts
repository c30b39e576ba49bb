import type { Database } from '@takt/database';
import type { Publisher } from '@takt/events';
import { generateEvents } from '@takt/events/generator';
import { addCompany } from '@takt/figures/master-data';
import { CommandError } from './errors.js';
import { createEventSender } from './event-sender.js';
import type { QueuesToAsk } from './queues.js';
import { waitUntilDrained } from './wait-until-drained.js';

export interface DemoLoad {
  readonly database: Database;
  readonly publisher: Publisher;
  readonly queues: QueuesToAsk;
  readonly signal: AbortSignal;
  /** Hears how many jobs are left. */
  readonly onProgress: (jobsLeft: number) => void;
}

const COMPANIES = [
  { code: 'TEM-NO', name: 'Tempus Norge' },
  { code: 'TEM-SE', name: 'Tempus Sverige' },
] as const;
const DEMO = { events: 20_000, structureVersions: 400, corrections: 0.03, duplicates: 0.01 };
const EVENTS_PER_JOB = 500;
const DRAIN_DEADLINE_MS = 300_000;

/**
 * Registers two companies and brings a year of invented events in on the way of all events: through the queue and
 * the worker. Resolves when they are taken in, or early where `signal` is aborted: what is in the queue by then is
 * taken in by the next start, the rest stays out, because the companies exist. May be called again where it rejected:
 * what is published twice counts once.
 */
export async function loadDemoData(load: DemoLoad): Promise<void> {
  const { database, publisher, queues, signal, onProgress } = load;
  for (const { code, name } of COMPANIES) await addCompany(database, code, name, { isDemo: true });
  const sender = createEventSender(publisher, { batchSize: EVENTS_PER_JOB, eventsPerSecond: undefined });
  for (const event of generateEvents({ ...DEMO, companies: COMPANIES.map(({ code }) => code) })) {
    await sender.send(event);
  }
  await sender.flush();
  const { isDrained } = await waitUntilDrained(queues, { timeoutMs: DRAIN_DEADLINE_MS, signal, onProgress });
  if (!isDrained && !signal.aborted) {
    throw new CommandError(
      `the demo data was not taken in within ${DRAIN_DEADLINE_MS / 1_000} s: takt status shows what holds it up`,
    );
  }
}
