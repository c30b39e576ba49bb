import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { nodeArgumentsOf } from '@takt/run';
import { appUrlOf } from './app-logins.js';
import { findFreePort, type ObservedProcess, spawnObserved } from './observed-process.js';
import { waitUntil } from './wait-until.js';

/** The apps as processes of their own, started as an operator would: by programs and environment alone. */
const ROOT = new URL('../../../../', import.meta.url);
const WORKER = programOf('worker');
const API = programOf('api');
const DASHBOARD = programOf('dashboard');
const INTAKE = programOf('intake');
const TAKT = fileURLToPath(new URL('apps/cli/bin/takt.js', ROOT));

/** What node is given to run an app: its arguments, then the program. */
function programOf(app: 'api' | 'dashboard' | 'intake' | 'worker'): readonly string[] {
  const program = fileURLToPath(new URL(`apps/${app}/bin/takt-${app}.js`, ROOT));
  return [...nodeArgumentsOf(program), program];
}

const START_DEADLINE_MS = 60_000;
/** For one request to /health/ready. */
const PROBE_DEADLINE_MS = 10_000;
const COMMAND_DEADLINE_MS = 120_000;

export interface WorkerProcessOptions {
  /** Of the owner; the worker gets that for its own log-in. */
  readonly databaseUrl: string;
  /** The same, where it is a PostgreSQL. */
  readonly queueUrl: string;
  /** Arguments for node itself, such as an --import that switches a deliberate bug on. */
  readonly nodeArguments?: readonly string[];
  /** Where health and metrics are; by default any free port. */
  readonly port?: number;
  /** More settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface WorkerProcess extends ObservedProcess {
  /** Address of health and metrics. */
  readonly observationUrl: string;
}

/** Starts apps/worker and waits until it takes events. Rejects with its output where it ends before. */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const worker = await spawnWorkerProcess(options);
  const port = await whenTakingEvents(worker);
  return { ...worker, observationUrl: `http://127.0.0.1:${port}` };
}

/** Starts apps/worker and does not wait for it. */
export async function spawnWorkerProcess(options: WorkerProcessOptions): Promise<ObservedProcess> {
  return spawnObserved([...(options.nodeArguments ?? []), ...WORKER], {
    LOG_LEVEL: 'info',
    DATABASE_URL: await appUrlOf(options.databaseUrl, 'worker'),
    QUEUE_URL: await appUrlOf(options.queueUrl, 'worker'),
    WORKER_PORT: String(options.port ?? 0),
    ...options.environment,
  });
}

/** Gives the port of health and metrics. */
async function whenTakingEvents(worker: ObservedProcess): Promise<number> {
  const findPort = () => /"port":(\d+),"msg":"taking events"/.exec(worker.output())?.[1];
  await whenStarted('the worker', worker, () => findPort() !== undefined);
  return Number(findPort());
}

export interface ApiProcessOptions {
  /** Of the owner; the API gets that for its own log-in. */
  readonly databaseUrl: string;
  /** What links begin with, made from the address that it is reached at; by default that address itself. */
  readonly baseUrlOf?: (origin: string) => string;
  /** Where it listens; by default any free port. */
  readonly port?: number;
  readonly logLevel?: string;
  /** Arguments for node itself. */
  readonly nodeArguments?: readonly string[];
  /** More settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ApiProcess extends ObservedProcess {
  /** Where it listens, e.g. http://127.0.0.1:40123; links begin with `baseUrl`. */
  readonly origin: string;
  readonly baseUrl: string;
}

/** Starts apps/api and waits until it is ready. Rejects with its output where it ends before. */
export async function startApiProcess(options: ApiProcessOptions): Promise<ApiProcess> {
  const port = options.port ?? (await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const baseUrl = options.baseUrlOf?.(origin) ?? origin;
  const api = spawnObserved([...(options.nodeArguments ?? []), ...API], {
    DATABASE_URL: await appUrlOf(options.databaseUrl, 'api'),
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: baseUrl,
    // Tests ask more than a client may.
    TAKT_REQUESTS_PER_MINUTE: '0',
    LOG_LEVEL: options.logLevel ?? 'warn',
    ...options.environment,
  });
  await whenStarted('the API', api, () => isReady(origin));
  return { ...api, origin, baseUrl };
}

export interface DashboardProcessOptions {
  /** Of the owner; the dashboard gets that for its own log-in. */
  readonly databaseUrl: string;
  /** The same, where it is a PostgreSQL. */
  readonly queueUrl: string;
  readonly logLevel?: string;
  /** More settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface DashboardProcess extends ObservedProcess {
  /** Where it listens, with which links begin. */
  readonly origin: string;
}

/** Starts apps/dashboard and waits until it is ready. Rejects with its output where it ends before. */
export async function startDashboardProcess(options: DashboardProcessOptions): Promise<DashboardProcess> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const dashboard = spawnObserved(DASHBOARD, {
    DATABASE_URL: await appUrlOf(options.databaseUrl, 'dashboard'),
    QUEUE_URL: await appUrlOf(options.queueUrl, 'dashboard'),
    HOST: '127.0.0.1',
    DASHBOARD_PORT: String(port),
    LOG_LEVEL: options.logLevel ?? 'info',
    ...options.environment,
  });
  await whenStarted('the dashboard', dashboard, () => isReady(origin));
  return { ...dashboard, origin };
}

export interface IntakeProcessOptions {
  /** Of the owner; the intake gets that for its own log-in. */
  readonly databaseUrl: string;
  /** The same, where it is a PostgreSQL. */
  readonly queueUrl: string;
  /** Of the API, to whose error messages it links. */
  readonly baseUrl?: string;
  /** By default any free port. */
  readonly port?: number;
  readonly logLevel?: string;
  /** Arguments for node itself. */
  readonly nodeArguments?: readonly string[];
  /** More settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface IntakeProcess extends ObservedProcess {
  /** Where it listens, e.g. http://127.0.0.1:40123. */
  readonly origin: string;
}

/** Starts apps/intake and waits until it takes events. Rejects with its output where it ends before. */
export async function startIntakeProcess(options: IntakeProcessOptions): Promise<IntakeProcess> {
  const port = options.port ?? (await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const intake = spawnObserved([...(options.nodeArguments ?? []), ...INTAKE], {
    DATABASE_URL: await appUrlOf(options.databaseUrl, 'intake'),
    QUEUE_URL: await appUrlOf(options.queueUrl, 'intake'),
    HOST: '127.0.0.1',
    INTAKE_PORT: String(port),
    BASE_URL: options.baseUrl ?? 'http://127.0.0.1:3000',
    // Tests ask more than a client may.
    TAKT_REQUESTS_PER_MINUTE: '0',
    LOG_LEVEL: options.logLevel ?? 'warn',
    ...options.environment,
  });
  await whenStarted('the intake', intake, () => isReady(origin));
  return { ...intake, origin };
}

/** Gives true, or what was answered instead. */
async function isReady(origin: string): Promise<true | string> {
  try {
    const answer = await fetch(`${origin}/health/ready`, { signal: AbortSignal.timeout(PROBE_DEADLINE_MS) });
    const text = await answer.text();
    return answer.ok || `it answers ${answer.status}: ${text}`;
  } catch (error) {
    return `it does not answer: ${String((error as Error).cause ?? error)}`;
  }
}

/**
 * Waits until a process says that it has started. One that ends before, or does not say so in time, is killed. The error
 * has its output and, where `hasStarted` gave a text, that reason.
 */
export async function whenStarted(
  what: string,
  started: ObservedProcess,
  hasStarted: () => boolean | string | Promise<boolean | string>,
): Promise<void> {
  let found: boolean | string = false;
  try {
    await waitUntil(
      `${what} has started`,
      async () => {
        if (!started.runs()) return true;
        found = await hasStarted();
        return found === true;
      },
      START_DEADLINE_MS,
    );
    if (!started.runs()) throw new Error(`${what} ended with code ${await started.ended}`);
  } catch (error) {
    await started.stop('SIGKILL');
    const why = typeof found === 'string' ? ` (${found})` : '';
    throw new Error(`${what} did not start${why}:\n${started.output()}`, { cause: error });
  }
}

/** How a command ended and what it wrote. */
export interface TaktOutcome {
  /** Null after a signal, which it gets where it takes too long. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type TaktEnvironment = Readonly<Record<string, string>>;

/** Runs the takt command to its end. Of the environment only PATH and HOME are passed on. */
export async function runTakt(
  args: readonly string[],
  environment: TaktEnvironment,
  input: string | Buffer = '',
): Promise<TaktOutcome> {
  const child = spawnTakt(args, environment);
  // A command that ends without reading its input closes the pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** Starts the takt command and does not wait for it; it is ended where it runs longer. */
export function spawnTakt(
  args: readonly string[],
  environment: TaktEnvironment,
  deadlineMs = COMMAND_DEADLINE_MS,
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(process.execPath, [TAKT, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: deadlineMs,
  });
}
