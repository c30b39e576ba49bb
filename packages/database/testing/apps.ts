import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { nodeArgumentsOf } from '@takt/run';
import { findFreePort, type ObservedProcess, spawnObserved, waitUntil } from '@takt/test-support';
import { appUrlOf } from './app-logins.js';

/**
 * This file runs the apps as separate processes. They are started as an operator would start them: only with programs
 * and environment variables.
 */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Returns the arguments of node for an app: first arguments for node itself, then the program. */
function programOf(app: App, root: string): readonly string[] {
  const program = join(root, `apps/${app}/bin/takt-${app}.js`);
  return [...nodeArgumentsOf(program), program];
}

const START_DEADLINE_MS = 60_000;
/** Maximum time of a request to /health/ready. */
const PROBE_DEADLINE_MS = 10_000;
const COMMAND_DEADLINE_MS = 120_000;

type App = 'api' | 'dashboard' | 'intake' | 'worker';

/** Name of the setting for the port of each app. */
const PORT_OF = {
  api: 'PORT',
  dashboard: 'DASHBOARD_PORT',
  intake: 'INTAKE_PORT',
  worker: 'WORKER_PORT',
} as const;

export interface AppProcessOptions {
  /** The URL of the database for the owner. The app gets the URL for its own log-in. */
  readonly databaseUrl: string;
  /** The URL of the queues. If the queues are in PostgreSQL, it is the URL for the owner too. */
  readonly queueUrl?: string;
  /** Returns the base URL of links, given the address of the app. By default links have the address of the app. */
  readonly baseUrlOf?: (origin: string) => string;
  /** Port at which the app listens. By default a free port is chosen. */
  readonly port?: number;
  readonly logLevel?: string;
  /** Arguments for node itself, such as an --import that adds a deliberate bug. */
  readonly nodeArguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The root folder of another version of Takt, whose app is started instead of that of this repository. */
  readonly root?: string;
}

export interface AppProcess extends ObservedProcess {
  /** The address at which the app listens, e.g. http://127.0.0.1:40123. */
  readonly origin: string;
  /** The base URL of links. */
  readonly baseUrl: string;
}

/** Starts an app and waits until it is ready. If the app ends before that, rejects with its output. */
export async function startApp(app: App, options: AppProcessOptions): Promise<AppProcess> {
  const { origin, baseUrl, ...started } = await spawnApp(app, options);
  // A worker processes events even while it is not ready, for example if clocks differ. So its output shows that it has
  // started.
  const hasStarted = () => (app === 'worker' ? started.output().includes('taking events') : isReady(origin));
  await whenStarted(`the ${app}`, started, hasStarted);
  return { ...started, origin, baseUrl };
}

/** Starts an app without waiting until it is ready. */
export async function spawnApp(app: App, options: AppProcessOptions): Promise<AppProcess> {
  const { databaseUrl, queueUrl } = options;
  const port = options.port ?? (await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const baseUrl = options.baseUrlOf?.(origin) ?? origin;
  const started = spawnObserved([...(options.nodeArguments ?? []), ...programOf(app, options.root ?? ROOT)], {
    DATABASE_URL: await appUrlOf(databaseUrl, app),
    ...(queueUrl === undefined ? {} : { QUEUE_URL: await appUrlOf(queueUrl, app) }),
    HOST: '127.0.0.1',
    [PORT_OF[app]]: String(port),
    ...(app === 'api' ? { BASE_URL: baseUrl } : {}),
    // The limit is off, because tests send more requests than the default limit permits.
    TAKT_REQUESTS_PER_MINUTE: '0',
    LOG_LEVEL: options.logLevel ?? (app === 'worker' || app === 'dashboard' ? 'info' : 'warn'),
    ...options.environment,
  });
  return { ...started, origin, baseUrl };
}

/** Returns true if the app is ready, otherwise the answer of the app. */
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
 * Waits until a process reports that it has started. If that takes too long, kills the process and throws an error. The
 * error contains the output of the process and, if `hasStarted` returned a text, that text as the reason.
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

/** The exit status and the output of a command. */
export interface TaktOutcome {
  /** Exit status. Null if a signal ended the command, which happens on a timeout. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type TaktEnvironment = Readonly<Record<string, string>>;

/**
 * Runs the takt command to its end. Of the environment, the command inherits only PATH and HOME. `root` is the root
 * folder of another version of Takt, whose command is run instead.
 */
export async function runTakt(
  args: readonly string[],
  environment: TaktEnvironment,
  input: string | Buffer = '',
  root = ROOT,
): Promise<TaktOutcome> {
  const child = spawnTakt(args, environment, COMMAND_DEADLINE_MS, root);
  // A command that ends without reading its input closes the pipe, which causes an error here.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** Starts the takt command without waiting for its end. The command is stopped on a timeout. */
export function spawnTakt(
  args: readonly string[],
  environment: TaktEnvironment,
  deadlineMs = COMMAND_DEADLINE_MS,
  root = ROOT,
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(process.execPath, [join(root, 'apps/cli/bin/takt.js'), ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: deadlineMs,
  });
}
