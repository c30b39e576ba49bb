import { createServer } from 'node:http';
import type { Server } from 'node:net';
import type { Logger } from './create-logger.js';
import { withDeadline } from './waiting.js';

/** What supervisors and operators may ask an app: does it run, can it do its work, and its figures (Prometheus). */
export const OBSERVATION_PATHS = ['/health/live', '/health/ready', '/metrics'] as const;

/** An app as it is seen from outside. */
export interface Observed {
  /** Why the app cannot do its work at this moment; empty when it can. */
  readonly findProblems: () => Promise<readonly string[]>;
  /** What else to say of an app that can do its work, a line each. */
  readonly describe?: (() => readonly string[]) | undefined;
  /** How long finding them may take; after that the app counts as not ready. */
  readonly deadlineMs: number;
  /** As a registry of prom-client is. */
  readonly metrics: { readonly contentType: string; metrics(): Promise<string> };
  readonly logger: Logger;
}

/** A whole answer as plain values, so that any HTTP server can send it. It must not be stored by caches. */
export interface ObservationAnswer {
  readonly status: 200 | 404 | 503;
  readonly type: string;
  readonly text: string;
}

const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** Answers a request for one of the OBSERVATION_PATHS, and with status 404 for any other path. */
export async function answerObservation(path: string, observed: Observed): Promise<ObservationAnswer> {
  switch (path) {
    case '/health/live':
      return { status: 200, type: PLAIN_TEXT, text: 'live\n' };
    case '/health/ready': {
      const problems = await findProblems(observed);
      return problems.length === 0
        ? {
            status: 200,
            type: PLAIN_TEXT,
            text: `${['ready', ...(observed.describe?.() ?? [])].join('\n')}\n`,
          }
        : { status: 503, type: PLAIN_TEXT, text: `${problems.join('\n')}\n` };
    }
    case '/metrics':
      return { status: 200, type: observed.metrics.contentType, text: await observed.metrics.metrics() };
    default:
      return { status: 404, type: PLAIN_TEXT, text: 'there are /health/live, /health/ready and /metrics\n' };
  }
}

async function findProblems({ findProblems, deadlineMs, logger }: Observed): Promise<readonly string[]> {
  try {
    return await withDeadline(findProblems(), deadlineMs, () => ['the checks did not end in time']);
  } catch (error) {
    logger.error({ error }, 'the readiness checks failed');
    return ['the checks failed'];
  }
}

export interface ObservationServer {
  readonly port: number;
  close(): Promise<void>;
}

const REQUEST_DEADLINE_MS = 5_000;

/**
 * Answers on a port of its own, for an app that serves nothing else. Port 0: any free one. Rejects where the address
 * cannot be listened on.
 */
export async function startObservationServer(
  host: string,
  port: number,
  observed: Observed,
): Promise<ObservationServer> {
  const server = createServer({ requestTimeout: REQUEST_DEADLINE_MS }, async (request, response) => {
    const { status, type, text } = await answerObservation(request.url ?? '', observed);
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(text);
  });
  return {
    port: await listen(server, port, host),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Connections that the system keeps until they are taken; one more is dropped, and its client tries again a second later. */
const BACKLOG = 2_048;

/** Gives the port, which is any free one for port 0. Rejects where the address cannot be listened on. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
