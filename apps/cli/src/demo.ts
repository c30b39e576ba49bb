import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createAccessToken, findAccessToken } from '@takt/access';
import type { Database } from '@takt/database';
import { readIfPresent, writePrivateFile } from '@takt/embedded-postgres';
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

export interface DemoToken {
  readonly token: string;
  readonly expiresAt: Date;
  /** The first is the default. */
  readonly companyCodes: readonly string[];
}

const VALID_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * The token for the demo companies, undefined where there are none: the one that `path` holds while it is valid for
 * just these, else a new one, which is kept there for the next start. The database knows tokens by their SHA-256 alone,
 * so a file that only its owner may read is where one can be found again.
 */
export async function obtainDemoToken(database: Database, path: string): Promise<DemoToken | undefined> {
  const companyCodes = (await listCompanies(database)).filter(({ isDemo }) => isDemo).map(({ code }) => code);
  if (companyCodes.length === 0) return undefined;
  const kept = (await readIfPresent(path))?.trim() ?? '';
  const grant = await findAccessToken(database.pool, kept);
  const granted = grant?.companies.map(({ code }) => code).join();
  if (grant !== undefined && granted === companyCodes.join()) {
    return { token: kept, expiresAt: grant.expiresAt, companyCodes };
  }
  const { token, expiresAt } = await createAccessToken(database, {
    companyCodes,
    expiresInMs: VALID_DAYS * DAY_MS,
    description: 'demo token of takt start',
  });
  await mkdir(dirname(path), { recursive: true });
  await writePrivateFile(path, `${token}\n`);
  return { token, expiresAt, companyCodes };
}
