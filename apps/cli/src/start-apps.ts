import { createServer } from 'node:net';
import type { AppName } from '@takt/database';
import { optionsOf, type StartApp } from '@takt/database/app';
import { type Closeable, createLogger, listen, type Settings } from '@takt/run';
import type { QueueTelemetry } from '@takt/run/monitoring';
import { resolveSettings } from '@takt/run/settings';
import type { AppAddresses } from './context.js';
import { CommandError } from './errors.js';

interface App {
  /** Name of the app, which also determines its log-in. */
  readonly app: AppName;
  readonly portVariable: 'PORT' | 'DASHBOARD_PORT' | 'INTAKE_PORT' | 'WORKER_PORT';
  readonly portOf: (settings: Settings) => number;
  readonly pages: readonly { readonly path: string; readonly what: string }[];
  /** Example paths that need an access token in their query. */
  readonly examples: readonly { readonly path: string; readonly what: string }[];
}

/** The folder of the apps, relative to apps/cli/dist/src. */
const FOLDER = new URL('../../../', import.meta.url);

const PRODUCTION_TIMES = '/product/structure-versions/aggregated-production-times';

/** The apps, in the order in which they start. */
const APPS: readonly App[] = [
  {
    app: 'worker',
    portVariable: 'WORKER_PORT',
    portOf: ({ workerPort }) => workerPort,
    pages: [
      { path: '/health/ready', what: 'worker health' },
      { path: '/metrics', what: 'worker metrics' },
    ],
    examples: [],
  },
  {
    app: 'api',
    portVariable: 'PORT',
    portOf: ({ port }) => port,
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
    app: 'intake',
    portVariable: 'INTAKE_PORT',
    portOf: ({ intakePort }) => intakePort,
    pages: [{ path: '/', what: 'intake' }],
    examples: [],
  },
  {
    app: 'dashboard',
    portVariable: 'DASHBOARD_PORT',
    portOf: ({ dashboardPort }) => dashboardPort,
    pages: [{ path: '/', what: 'dashboard' }],
    examples: [],
  },
];

export interface Page {
  readonly url: string;
  readonly what: string;
}

export interface Places {
  /** The settings. If any free port was requested, they have the port that was chosen. */
  readonly settings: Settings;
  readonly pages: readonly Page[];
  /** Returns the address of an app, e.g. http://127.0.0.1:3003. */
  urlOf(app: AppName): string;
  /** Example pages that need an access token in their query. */
  readonly examples: readonly Page[];
}

/** Chooses the ports of all apps before anything starts. Throws a CommandError if a port is taken. */
export async function choosePlaces(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Places> {
  const settings = resolveSettings(environment);
  const ports = new Map<App, number>();
  for (const app of APPS) {
    ports.set(app, await claimPort(settings.host, app.portOf(settings), app.portVariable));
  }
  const urlOf = (app: App) => `http://${reachable(settings.host)}:${ports.get(app)}`;
  const list = (kind: 'pages' | 'examples'): readonly Page[] =>
    APPS.flatMap((app) => app[kind].map(({ path, what }) => ({ url: urlOf(app) + path, what })));
  const chosen = Object.fromEntries([...ports].map(([app, port]) => [app.portVariable, String(port)]));
  return {
    settings: resolveSettings({ ...environment, ...chosen }),
    urlOf: (name) => APPS.filter(({ app }) => app === name).map(urlOf)[0] ?? '',
    pages: list('pages'),
    examples: list('examples'),
  };
}

interface StartAppsOptions {
  readonly settings: Settings;
  readonly addressesOf: (app: AppName) => AppAddresses;
  readonly isTerminal: boolean;
  /** Traces the jobs of the queues. Undefined if nothing is traced. */
  readonly telemetry: QueueTelemetry | undefined;
  /** Aborted when the apps should end. */
  readonly stopping: AbortSignal;
  /** Called if an app cannot continue. */
  readonly failed: (reason: Error) => void;
}

/**
 * Starts all apps in this process, each with its own log-in and its own connections, as in a process of its own. If one
 * cannot start, closes the others and throws a CommandError. The apps are no dependencies of this package, because the
 * image of the command line has no apps; so they are loaded by their paths.
 */
export async function startApps(options: StartAppsOptions): Promise<Closeable> {
  const { settings, addressesOf, isTerminal, failed, ...lifetime } = options;
  const started: Closeable[] = [];
  const close = async () => {
    for (const app of started.splice(0).reverse()) await app.close();
  };
  for (const { app } of APPS) {
    const { startProgram }: { readonly startProgram: StartApp } = await import(
      new URL(`${app}/dist/src/program.js`, FOLDER).href
    );
    const logger = createLogger({ app, level: settings.logLevel, isTerminal });
    try {
      started.push(
        await startProgram({
          settings,
          options: optionsOf(settings, { ...addressesOf(app), ...lifetime, logger }),
          failed: (reason) => failed(new CommandError(`the ${app} cannot go on`, { cause: reason })),
        }),
      );
    } catch (error) {
      await close();
      if (options.stopping.aborted) return { close };
      throw new CommandError(`the ${app} did not start`, { cause: error });
    }
  }
  return { close };
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
