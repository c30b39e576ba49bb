import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { AppName } from '@takt/database';
import { listen, nodeArgumentsOf, type Settings } from '@takt/run';
import { resolveSettings } from '@takt/run/settings';
import type { AppAddresses } from './context.js';
import { CommandError } from './errors.js';
import { superviseApp } from './supervise-app.js';

/** An app that `takt start` runs as a process. */
interface AppProcess {
  readonly name: string;
  /** The app's name, which determines its log-in. */
  readonly app: AppName;
  /** Absolute path of the program. */
  readonly script: string;
  readonly portVariable: 'PORT' | 'DASHBOARD_PORT' | 'INTAKE_PORT' | 'WORKER_PORT';
  readonly portOf: (settings: Settings) => number;
  /** Answers 200 once the app is ready. */
  readonly readyPath: string;
  /** Pages for people, with a description. */
  readonly pages: readonly { readonly path: string; readonly what: string }[];
  /** Paths that need an access token in their query. */
  readonly examples: readonly { readonly path: string; readonly what: string }[];
}

/** Path from apps/cli/dist/src to apps. */
const APPS = new URL('../../../', import.meta.url);

const PRODUCTION_TIMES = '/product/structure-versions/aggregated-production-times';

/** In the order of the start. */
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
  /** The settings, with the actual ports if any free port was requested. */
  readonly settings: Settings;
  readonly pages: readonly Page[];
  /** The address of an app, e.g. http://127.0.0.1:3003. */
  urlOf(app: AppName): string;
  /** Pages that need an access token in their query. */
  readonly examples: readonly Page[];
  /** Resolves once all are ready. Rejects with a CommandError if one fails. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Starts all apps. Throws a CommandError, without starting any, if a port is taken. */
export async function startApps(options: StartAppsOptions): Promise<RunningApps> {
  const { settings, environment, addressesOf } = options;
  const host = reachable(settings.host);
  const placed: { readonly app: AppProcess; readonly port: number }[] = [];
  for (const app of APP_PROCESSES) {
    const port = await claimPort(settings.host, app.portOf(settings), app.portVariable);
    placed.push({ app, port });
  }
  // Each app gets the ports of all apps: the intake links to the API.
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

/** Returns the address under which this machine reaches an app that listens on all addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Checks that a port is free and returns it; for 0 it returns any free one. Throws a CommandError that names the
 * variable to change.
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
