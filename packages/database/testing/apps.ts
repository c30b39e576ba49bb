import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { nodeArgumentsOf } from '@takt/run';
import { findFreePort, type ObservedProcess, spawnObserved, waitUntil } from '@takt/test-support';
import { appUrlOf } from './app-logins.js';

/** Runs the apps as separate processes, started as an operator would: only by programs and environment. */
const ROOT = new URL('../../../../', import.meta.url);
const TAKT = fileURLToPath(new URL('apps/cli/bin/takt.js', ROOT));

/** The arguments of node for an app: its own, then the program. */
function programOf(app: App): readonly string[] {
  const program = fileURLToPath(new URL(`apps/${app}/bin/takt-${app}.js`, ROOT));
  return [...nodeArgumentsOf(program), program];
}

const START_DEADLINE_MS = 60_000;
/** Timeout of a request to /health/ready. */
const PROBE_DEADLINE_MS = 10_000;
const COMMAND_DEADLINE_MS = 120_000;

type App = 'api' | 'dashboard' | 'intake' | 'worker';

/** The setting for each app's port. */
const PORT_OF = {
  api: 'PORT',
  dashboard: 'DASHBOARD_PORT',
  intake: 'INTAKE_PORT',
  worker: 'WORKER_PORT',
} as const;

export interface AppProcessOptions {
  /** The owner's URL; the app gets the one for its own log-in. */
  readonly databaseUrl: string;
  /** The owner's URL too, if the queues are in PostgreSQL. */
  readonly queueUrl?: string;
  /** Computes the base URL of links from the app's own address; by default that address. */
  readonly baseUrlOf?: (origin: string) => string;
  /** Defaults to a free port. */
  readonly port?: number;
  readonly logLevel?: string;
  /** Arguments for node itself, such as an --import that enables a deliberate bug. */
  readonly nodeArguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface AppProcess extends ObservedProcess {
  /** The address at which the app listens, e.g. http://127.0.0.1:40123. */
  readonly origin: string;
  /** The base URL of links. */
  readonly baseUrl: string;
}

/** Starts an app and waits until it is ready. Rejects with the app's output if it ends before. */
export async function startApp(app: App, options: AppProcessOptions): Promise<AppProcess> {
  const { origin, baseUrl, ...started } = await spawnApp(app, options);
  // A worker processes events even while it is not ready, for example if clocks differ.
  const hasStarted = () => (app === 'worker' ? started.output().includes('taking events') : isReady(origin));
  await whenStarted(`the ${app}`, started, hasStarted);
  return { ...started, origin, baseUrl };
}

/** Starts an app without waiting for it. */
export async function spawnApp(app: App, options: AppProcessOptions): Promise<AppProcess> {
  const { databaseUrl, queueUrl } = options;
  const port = options.port ?? (await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const baseUrl = options.baseUrlOf?.(origin) ?? origin;
  const started = spawnObserved([...(options.nodeArguments ?? []), ...programOf(app)], {
    DATABASE_URL: await appUrlOf(databaseUrl, app),
    ...(queueUrl === undefined ? {} : { QUEUE_URL: await appUrlOf(queueUrl, app) }),
    HOST: '127.0.0.1',
    [PORT_OF[app]]: String(port),
    ...(app === 'api' ? { BASE_URL: baseUrl } : {}),
    // Tests send more requests than the default limit permits.
    TAKT_REQUESTS_PER_MINUTE: '0',
    LOG_LEVEL: options.logLevel ?? (app === 'worker' || app === 'dashboard' ? 'info' : 'warn'),
    ...options.environment,
  });
  return { ...started, origin, baseUrl };
}

/** Returns true if the app is ready, otherwise its answer. */
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
 * Waits until a process reports that it has started. If that takes too long, kills the process. The error contains its
 * output and, if `hasStarted` returned a text, that reason.
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

/** The exit status and output of a command. */
export interface TaktOutcome {
  /** Null if a signal ended the command, as on timeout. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type TaktEnvironment = Readonly<Record<string, string>>;

/** Runs the takt command to its end. The command inherits only PATH and HOME. */
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

/** Starts the takt command without waiting for it; it is stopped on timeout. */
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
