import { fileURLToPath } from 'node:url';
import type { Settings } from '@takt/runtime';

/** An app that `takt start` runs beside this process. */
export interface AppProcess {
  readonly name: string;
  /** The program, an absolute path. */
  readonly script: string;
  readonly portVariable: 'PORT' | 'DASHBOARD_PORT' | 'WORKER_PORT';
  readonly portOf: (settings: Settings) => number;
  /** Answers 200 there once the app does its work. */
  readonly readyPath: string;
  /** What a person can look at, as paths with a word on each. */
  readonly pages: readonly { readonly path: string; readonly what: string }[];
  /** The same for what needs an access token, which is added to the query that each path has. */
  readonly examples: readonly { readonly path: string; readonly what: string }[];
}

/** From apps/cli/dist/src/start up to apps. */
const APPS = new URL('../../../../', import.meta.url);

const PRODUCTION_TIMES = '/product/structure-versions/aggregated-production-times';

/** In the order in which they are started. */
export const APP_PROCESSES: readonly AppProcess[] = [
  {
    name: 'worker',
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
    script: fileURLToPath(new URL('api/bin/takt-api.js', APPS)),
    portVariable: 'PORT',
    portOf: ({ port }) => port,
    readyPath: '/health/ready',
    pages: [{ path: '/docs', what: 'API docs' }],
    examples: [
      { path: `${PRODUCTION_TIMES}?$format=html`, what: 'a page' },
      { path: `${PRODUCTION_TIMES}?$format=json`, what: 'JSON' },
      { path: `${PRODUCTION_TIMES}?$format=xml`, what: 'XML' },
    ],
  },
];
