import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { AppName } from '@takt/database';
import { listen, nodeArgumentsOf, type Settings } from '@takt/run';
import { resolveSettings } from '@takt/run/settings';
import type { AppAddresses } from './context.js';
import { CommandError } from './errors.js';
import { superviseApp } from './supervise-app.js';

/** An app that `takt start` runs as a process of its own. */
interface AppProcess {
  readonly name: string;
  /** Name of the app, which also determines its log-in. */
  readonly app: AppName;
  /** Absolute path of the program. */
  readonly script: string;
  readonly portVariable: 'PORT' | 'DASHBOARD_PORT' | 'INTAKE_PORT' | 'WORKER_PORT';
  readonly portOf: (settings: Settings) => number;
  /** Path that answers 200 once the app is ready. */
  readonly readyPath: string;
  /** The pages for people, each with a description. */
  readonly pages: readonly { readonly path: string; readonly what: string }[];
  /** Example paths that need an access token in their query. */
  readonly examples: readonly { readonly path: string; readonly what: string }[];
}

/** The folder of the apps, relative to apps/cli/dist/src. */
const APPS = new URL('../../../', import.meta.url);

const PRODUCTION_TIMES = '/product/structure-versions/aggregated-production-times';

/** The apps, in the order in which they start. */
export const APP_PROCESSES: readonly AppProcess[] = [
  {
    name: 'worker',
    app: 'worker',
    script: fileURLToPath(new URL('worker/bin/takt-worker.js', APPS)),
    portVariable: 'WORKER_PORT',
    portOf: ({ workerPort }) => workerPort,
    readyPath: '/health/ready',
    pages: [
      { path: '/health/ready', what: 'worker health' },
      { path: '/metrics', what: 'worker metrics' },
    ],
    examples: [],
  },
  {
    name: 'API',
    app: 'api',
    script: fileURLToPath(new URL('api/bin/takt-api.js', APPS)),
    portVariable: 'PORT',
    portOf: ({ port }) => port,
    readyPath: '/health/ready',
    pages: [
      { path: '/', what: 'API' },
      { path: '/docs', what: 'API docs' },
    ],
    examples: [
      { path: '/?$format=html', what: "planner's page" },
      { path: `${PRODUCTION_TIMES}?$format=json`, what: 'production times' },
      { path: `${PRODUCTION_TIMES}?$format=xml`, what: 'the same as XML' },
    ],
  },
  {
    name: 'intake',
    app: 'intake',
    script: fileURLToPath(new URL('intake/bin/takt-intake.js', APPS)),
    portVariable: 'INTAKE_PORT',
    portOf: ({ intakePort }) => intakePort,
    readyPath: '/health/ready',
    pages: [{ path: '/', what: 'intake' }],
    examples: [],
  },
  {
    name: 'dashboard',
    app: 'dashboard',
    script: fileURLToPath(new URL('dashboard/bin/takt-dashboard.js', APPS)),
    portVariable: 'DASHBOARD_PORT',
    portOf: ({ dashboardPort }) => dashboardPort,
    readyPath: '/health/ready',
    pages: [{ path: '/', what: 'dashboard' }],
    examples: [],
  },
];

interface StartAppsOptions {
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly addressesOf: (app: AppName) => AppAddresses;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface Page {
  readonly url: string;
  readonly what: string;
}

export interface RunningApps {
  /** The settings. If any free port was requested, they have the port that was chosen. */
  readonly settings: Settings;
  readonly pages: readonly Page[];
  /** Returns the address of an app, e.g. http://127.0.0.1:3003. */
  urlOf(app: AppName): string;
  /** Example pages that need an access token in their query. */
  readonly examples: readonly Page[];
  /** Resolves once all apps are ready. Rejects with a CommandError if an app fails. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Starts all apps. If a port is taken, throws a CommandError and starts no app. */
export async function startApps(options: StartAppsOptions): Promise<RunningApps> {
  const { settings, environment, addressesOf } = options;
  const host = reachable(settings.host);
  const placed: { readonly app: AppProcess; readonly port: number }[] = [];
  for (const app of APP_PROCESSES) {
    const port = await claimPort(settings.host, app.portOf(settings), app.portVariable);
    placed.push({ app, port });
  }
  // Each app gets the ports of all apps, because the intake links to the API.
  const ports = Object.fromEntries(placed.map(({ app, port }) => [app.portVariable, String(port)]));
  const running = placed.map(({ app, port }) =>
    superviseApp({
      ...options,
      name: app.name,
      script: app.script,
      nodeArguments: nodeArgumentsOf(app.script),
      environment: {
        ...environment,
        DATABASE_URL: addressesOf(app.app).databaseUrl,
        QUEUE_URL: addressesOf(app.app).queueUrl,
        ...ports,
      },
      readyUrl: `http://${host}:${port}${app.readyPath}`,
    }),
  );
  const list = (kind: 'pages' | 'examples'): readonly Page[] =>
    placed.flatMap(({ app, port }) =>
      app[kind].map(({ path, what }) => ({ url: `http://${host}:${port}${path}`, what })),
    );
  return {
    settings: resolveSettings({ ...environment, ...ports }),
    urlOf: (name) => {
      const port = placed.find(({ app }) => app.app === name)?.port;
      return `http://${host}:${port}`;
    },
    pages: list('pages'),
    examples: list('examples'),
    ready: Promise.all(running.map(({ ready }) => ready)).then(() => undefined),
    close: async () => {
      await Promise.all(running.map((app) => app.close()));
    },
  };
}

/** Returns the host under which this machine reaches an app that listens on all addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Checks that a port is free and returns the port; for 0, returns any free port. If the port is taken, throws a
 * CommandError that names the variable to change.
 */
async function claimPort(host: string, port: number, variable: string): Promise<number> {
  const probe = createServer();
  try {
    return await listen(probe, port, host);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) {
      throw new CommandError(`nothing can listen on ${host}:${port}: set HOST or ${variable}`, {
        cause: error,
      });
    }
    throw new CommandError(
      `port ${port} of ${host} is taken, perhaps by another takt start: end that program or set ${variable}`,
    );
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}
