import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AccessTokenRequest,
  createAccessToken,
  createUser,
  type Duty,
  SESSION_COOKIE,
} from '@takt/access';
import { type Database, inTransaction } from '@takt/database';
import { type AppProcess, createTestDatabase, startApp } from '@takt/database/testing';
import {
  type EventJob,
  type EventQueue,
  migrateQueueSchema,
  openQueueBackend,
  ruleOf,
} from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import { countRejections, recordRejections } from '@takt/rejections';
import { findFreePort, startTestRedis, type TestRedis } from '@takt/test-support';
import { pino } from 'pino';
import { type Dashboard, startDashboard } from '../../src/start-dashboard.js';

/**
 * Duties that, beside those of an operator, let a person read all values of events. Pages show others no id of a job as it is:
 * hidden-values.test.ts.
 */
export const READS_ALL: readonly Duty[] = ['read-planned-times', 'read-persons'];

export type Store = 'PostgreSQL' | 'Redis';
export const PASSWORD = 'correct horse battery';

export interface Asking {
  /** The token of the session, or undefined if nobody is signed in. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of a posted form. */
  readonly form?: Readonly<Record<string, string>> | URLSearchParams;
}

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The target of a redirect, relative to the base URL. undefined if the answer is no redirect. */
  readonly location: string | undefined;
}

/** The dashboard with a new database, new queues and the companies TEM-NO and TEM-SE. */
export interface TestDashboard {
  readonly origin: string;
  readonly dashboard: Dashboard;
  readonly database: Database;
  readonly queue: EventQueue;
  readonly reference: EventQueue;
  /** Returns the log of the dashboard as lines of JSON. */
  readonly log: () => string;
  ask(method: string, path: string, asking?: Asking): Promise<Got>;
  /** Creates a person with these companies, and with a role or with duties. */
  addPerson(
    companies: readonly string[],
    rights: { readonly roles?: readonly string[]; readonly duties?: readonly Duty[] },
  ): Promise<Signed>;
  /** Creates a token for both companies without a person, as the command line does. */
  createToken(rights: Partial<AccessTokenRequest>): Promise<string>;
  /** Rejects these events, each with a reason, as a worker does. */
  reject(jobs: readonly RejectedJob[]): Promise<void>;
  /** Returns the id of an event that `reject` has rejected by this name. */
  idOf(jobId: string): string;
  countRejected(): Promise<number>;
  /** Claims the next job of the first queue like a worker, and leaves the job active. */
  claim(): Promise<EventJob | undefined>;
  /** Stops the Redis server of the queues. */
  stopStore(): Promise<void>;
  /** Starts a worker, which runs until the end. */
  startWorker(): Promise<void>;
  /** The folder in which the dashboard makes one for uploaded files. */
  readonly home: string;
  close(): Promise<void>;
}

export interface Signed {
  readonly pid: number;
  readonly token: string;
}

export interface RejectedJob {
  /** The name by which the test knows the event. */
  readonly jobId: string;
  readonly data: unknown;
  readonly reason?: string;
}

export async function openTestDashboard(store: Store = 'PostgreSQL'): Promise<TestDashboard> {
  const test = await createTestDatabase();
  const redis: TestRedis | undefined = store === 'Redis' ? await startTestRedis() : undefined;
  const queueUrl = redis?.url ?? test.url;
  await migrateQueueSchema(queueUrl);
  for (const code of ['TEM-NO', 'TEM-SE']) await addCompany(test.database, code, `Company ${code}`);
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const home = await mkdtemp(join(tmpdir(), 'takt-dashboard-'));
  let worker: AppProcess | undefined;
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const dashboard = await startDashboard({
    databaseUrl: test.appUrl('dashboard'),
    queueUrl: redis?.url ?? test.appUrl('dashboard'),
    ...{
      host: '127.0.0.1',
      port,
      baseUrl: origin,
      apiUrl: 'http://127.0.0.1:1',
      home,
      maxAheadMs: 86_400_000,
      logger,
      alarms: { rejectedPercent: 1 },
      firstAlarmsAfterMs: 0,
    },
  });
  const backend = await openQueueBackend(queueUrl, { onError: () => undefined });
  const [queue, reference] = [
    backend.openQueue('work-order-operations'),
    backend.openQueue('reference-data'),
  ];
  const ids = new Map<string, string>();
  return {
    ...{ origin, home, dashboard, queue, reference, database: test.database, log: () => lines.join('') },
    ask: (method, path, asking) => ask(`${origin}${path}`, method, asking),
    addPerson: async (companyCodes, { roles = [], duties = [] }) => {
      const person = { name: 'Person', companyCodes, roles, duties, password: PASSWORD };
      const pid = await createUser(test.database, person);
      const { token } = await createAccessToken(test.database, { companyCodes, pid, expiresInMs: 3_600_000 });
      return { pid, token };
    },
    createToken: async (rights) => {
      const request = { companyCodes: ['TEM-NO', 'TEM-SE'], expiresInMs: 3_600_000, ...rights };
      return (await createAccessToken(test.database, request)).token;
    },
    reject: async (jobs) => {
      for (const [jobId, id] of await reject(test.database.pool, jobs)) ids.set(jobId, id);
    },
    idOf: (jobId) => ids.get(jobId) ?? jobId,
    countRejected: () => countRejections(test.database.pool),
    claim: () => backend.openWorker('work-order-operations', null).getNextJob('a token'),
    stopStore: async () => redis?.close(),
    startWorker: async () => {
      const urls = { databaseUrl: test.appUrl('worker'), queueUrl: redis?.url ?? test.appUrl('worker') };
      worker = await startApp('worker', urls);
    },
    close: async () => {
      await worker?.stop();
      await dashboard.close();
      await backend.close();
      await redis?.close();
      await test.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function ask(url: string, method: string, { token, headers, form }: Asking = {}): Promise<Got> {
  const asked = fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(token === undefined ? {} : { cookie: `${SESSION_COOKIE}=${token}` }), ...headers },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  const response = await asked.catch((error: Error) => {
    throw new Error(`${method} ${url}: ${String(error.cause ?? error)}`);
  });
  const text = await response.text();
  const location = response.headers.get('location')?.replace(new URL(url).origin, '');
  return { status: response.status, headers: response.headers, text, location };
}

/** Records events as rejected, each with its reason, and returns the id of each by the name of its job. */
async function reject(
  pool: Database['pool'],
  jobs: readonly RejectedJob[],
): Promise<readonly (readonly [jobId: string, id: string])[]> {
  const texts = jobs.map(({ data }) => JSON.stringify(data));
  await inTransaction(pool, async (session) => {
    const queue = 'work-order-operations';
    await recordRejections(
      session,
      texts.map((text) => ({ queue, text, problems: [] })),
    );
    const reasons = jobs.map(({ reason = 'data.runTime must be hours (got -1)' }) => reason);
    await session.query(
      `UPDATE takt.rejections SET reason = told.reason, rule = told.rule, problems = NULL
       FROM unnest($1::text[], $2::text[], $3::text[]) AS told (text, reason, rule) WHERE data = told.text`,
      [texts, reasons, reasons.map(ruleOf)],
    );
  });
  const { rows } = await pool.query<{ id: string; data: string }>(
    'SELECT rejection_id AS id, data FROM takt.rejections WHERE data = ANY ($1)',
    [texts],
  );
  const idOf = new Map(rows.map(({ id, data }) => [data, id]));
  return jobs.map(({ jobId }, index) => [jobId, idOf.get(texts[index] ?? '') ?? '']);
}
