import { createAccessToken } from '@takt/access';
import type { Database } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { QUEUE_NAMES } from '@takt/events';
import { type EventQueue, migrateQueueSchema, openQueueBackend } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import { needsProgram, startTestRedis, type TestRedis } from '@takt/test-support';
import type { Context } from 'mocha';
import { pino, stdSerializers } from 'pino';
import { type IntakeOptions, startIntake } from '../../src/start-intake.js';

export const STORES = ['PostgreSQL', 'Redis'] as const;
export type Store = (typeof STORES)[number];
/** The address of the API. Links begin with it for any port. */
export const API_URL = 'https://takt.example';
const TOKEN_LIFETIME_MS = 3_600_000;

/** The intake with a new database, new queues and the companies TEM-NO, TEM-SE and OTHER. */
export interface TestIntake {
  readonly port: number;
  readonly origin: string;
  readonly database: Database;
  /** The Redis server, or undefined if the queues are in the database. */
  readonly redis: TestRedis | undefined;
  /** A token that may publish for TEM-NO and TEM-SE. */
  readonly token: string;
  /** The lines of the log as JSON. */
  readonly log: readonly string[];
  createToken(companyCodes: readonly string[], mayPublish?: boolean): Promise<string>;
  /** Returns the waiting events by queue and job. The events of a batch are listed one by one. */
  queued(): Promise<readonly unknown[]>;
  /** Returns the number of waiting jobs in each queue. */
  jobs(): Promise<readonly number[]>;
  /** Removes all waiting jobs. */
  drain(): Promise<void>;
  /** Stops the intake, but not its servers. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export async function openTestIntake(
  store: Store,
  context: Context,
  options: Partial<IntakeOptions> = {},
): Promise<TestIntake> {
  if (store === 'Redis') needsProgram(context, 'redis-server');
  const test = await createTestDatabase();
  // The default setting everysec lets Redis answer before it has written to disk. A kill would then lose acknowledged
  // events.
  const redis = store === 'Redis' ? await startTestRedis(['--appendfsync', 'always']) : undefined;
  await migrateQueueSchema(test.url);
  for (const code of ['TEM-NO', 'TEM-SE', 'OTHER']) await addCompany(test.database, code, code);
  const log: string[] = [];
  const logger = pino(
    { level: 'debug', serializers: { error: stdSerializers.err } },
    { write: (line: string) => void log.push(line) },
  );
  const intake = await startIntake({
    databaseUrl: test.appUrl('intake'),
    queueUrl: redis?.url ?? test.appUrl('intake'),
    host: '127.0.0.1',
    port: 0,
    apiUrl: API_URL,
    logger,
    ...options,
  });
  const backend = await openQueueBackend(redis?.url ?? test.url, { onError: () => undefined });
  const queues: readonly EventQueue[] = QUEUE_NAMES.map((name) => backend.openQueue(name));
  const createToken = async (companyCodes: readonly string[], mayPublish = true) =>
    (await createAccessToken(test.database, { companyCodes, expiresInMs: TOKEN_LIFETIME_MS, mayPublish }))
      .token;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= intake.close();
    return stopped;
  };
  return {
    port: intake.port,
    origin: `http://127.0.0.1:${intake.port}`,
    database: test.database,
    redis,
    token: await createToken(['TEM-NO', 'TEM-SE']),
    log,
    createToken,
    queued: async () => {
      const jobs = await Promise.all(queues.map((queue) => queue.getJobs('waiting', 0, -1, true)));
      return jobs.flat().flatMap(({ data }) => data);
    },
    jobs: () => Promise.all(queues.map((queue) => queue.getWaitingCount())),
    drain: async () => {
      for (const queue of queues) await queue.drain();
    },
    stop,
    close: async () => {
      await stop();
      await backend.close();
      await redis?.close();
      await test.close();
    },
  };
}
