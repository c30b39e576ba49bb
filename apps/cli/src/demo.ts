import { createAccessToken } from '@takt/access';
import type { Database } from '@takt/database';
import { generateEvents } from '@takt/event-generator';
import type { EventQueue, Publisher } from '@takt/events';
import { addCompany, listCompanies } from '@takt/master-data';
import { CommandError } from './errors.js';
import { createEventSender } from './event-sender.js';
import { waitUntilDrained } from './wait-until-drained.js';

export interface DemoLoad {
  readonly database: Database;
  readonly publisher: Publisher;
  readonly queues: readonly EventQueue[];
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
 * taken in by the next start, the rest stays out, because the companies exist.
 */
export async function loadDemoData(load: DemoLoad): Promise<void> {
  const { database, publisher, queues, signal, onProgress } = load;
  for (const { code, name } of COMPANIES) await addCompany(database, code, name);
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

export interface DemoToken {
  readonly token: string;
  readonly validDays: number;
  /** The first is the default. */
  readonly companyCodes: readonly string[];
}

const VALID_DAYS = 7;
const DAY_MS = 86_400_000;

/** A token for every company that is registered, undefined where there is none yet. */
export async function createDemoToken(database: Database): Promise<DemoToken | undefined> {
  const companyCodes = (await listCompanies(database)).map(({ code }) => code);
  if (companyCodes.length === 0) return undefined;
  const { token } = await createAccessToken(database, {
    companyCodes,
    expiresInMs: VALID_DAYS * DAY_MS,
    description: 'demo token of takt start',
  });
  return { token, validDays: VALID_DAYS, companyCodes };
}
