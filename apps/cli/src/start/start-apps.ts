import type { Settings } from '@takt/runtime';
import { APP_PROCESSES, type AppProcess } from './app-processes.js';
import { claimPort } from './claim-port.js';
import { superviseApp } from './supervise-app.js';

export interface StartAppsOptions {
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly databaseUrl: string;
  readonly queueUrl: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** What a person can look at. */
export interface Page {
  readonly url: string;
  readonly what: string;
}

export interface RunningApps {
  readonly pages: readonly Page[];
  /** Pages that need an access token, which is to be added to the query that each URL has. */
  readonly examples: readonly Page[];
  /** Resolves once all do their work. Rejects with a CommandError where one does not. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Starts every app. Throws a CommandError, with none started, where a port is taken. */
export async function startApps(options: StartAppsOptions): Promise<RunningApps> {
  const { settings, environment, databaseUrl, queueUrl } = options;
  const host = reachable(settings.host);
  const placed: { readonly app: AppProcess; readonly port: number }[] = [];
  for (const app of APP_PROCESSES) {
    const port = await claimPort(settings.host, app.portOf(settings), app.portVariable);
    placed.push({ app, port });
  }
  const running = placed.map(({ app, port }) =>
    superviseApp({
      ...options,
      name: app.name,
      script: app.script,
      environment: {
        ...environment,
        DATABASE_URL: databaseUrl,
        QUEUE_URL: queueUrl,
        [app.portVariable]: String(port),
      },
      readyUrl: `http://${host}:${port}${app.readyPath}`,
    }),
  );
  const list = (kind: 'pages' | 'examples'): readonly Page[] =>
    placed.flatMap(({ app, port }) =>
      app[kind].map(({ path, what }) => ({ url: `http://${host}:${port}${path}`, what })),
    );
  return {
    pages: list('pages'),
    examples: list('examples'),
    ready: Promise.all(running.map(({ ready }) => ready)).then(() => undefined),
    close: async () => {
      await Promise.all(running.map((app) => app.close()));
    },
  };
}

/** An app that listens on every address is found on the local one. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
