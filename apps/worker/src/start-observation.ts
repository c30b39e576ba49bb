import { describeError } from '@takt/catalogue/errors';
import {
  createAnswerError,
  type HttpLimits,
  type HttpServer,
  OBSERVATION_PATHS,
  startHttpServer,
} from '@takt/http';
import type { Logger } from '@takt/run';
import type { Registry } from 'prom-client';

interface ObservationOptions {
  readonly host: string;
  /** Port for health and metrics. With 0, any free port is chosen. */
  readonly port: number;
  /** Returns the reasons why the worker is not ready; empty if it is ready. */
  readonly findProblems: () => Promise<readonly string[]>;
  readonly registry: Registry;
  readonly logger: Logger;
}

/**
 * Limits that suffice for a supervisor and a few collectors of metrics. More requests must not slow down the events.
 */
const LIMITS: Partial<HttpLimits> = {
  maxConnections: 200,
  // This is the time for all checks of readiness together.
  answerDeadlineMs: 10_000,
  maxInFlight: 40,
  maxRunning: 4,
  closeDeadlineMs: 500,
};
const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const NOTHING_ELSE = `there are ${OBSERVATION_PATHS.join(', ')}`;

/** Serves health and metrics over HTTP. Rejects if the server cannot listen at the address. */
export function startObservation(options: ObservationOptions): Promise<HttpServer> {
  const { host, port, findProblems, registry, logger } = options;
  const answerError = createAnswerError({
    logger,
    write: (error) => {
      const { status, message } = describeError(error, 'eng');
      return {
        status,
        headers: { 'Content-Type': 'text/plain; charset=utf-8' },
        body: [`${status === 404 ? NOTHING_ELSE : message}\n`],
        isStreamed: false,
      };
    },
  });
  return startHttpServer({
    host,
    port,
    basePath: '',
    registry,
    logger,
    logsRequests: false,
    headers: HEADERS,
    limits: LIMITS,
    service: { routes: [], answerError, findProblems },
  });
}
