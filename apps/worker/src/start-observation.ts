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
  /** 0: any free port. */
  readonly port: number;
  /** Reasons not to be ready; empty if there are none. */
  readonly findProblems: () => Promise<readonly string[]>;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Limits for a supervisor and a few collectors of metrics: more requests must not slow down the events. */
const LIMITS: Partial<HttpLimits> = {
  maxConnections: 200,
  maxConnectionsPerAddress: 50,
  // For all readiness checks together.
  answerDeadlineMs: 10_000,
  maxInFlight: 40,
  maxInFlightPerAddress: 20,
  maxRunning: 4,
  closeDeadlineMs: 500,
};
const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const NOTHING_ELSE = `there are ${OBSERVATION_PATHS.join(', ')}`;

/** Serves health and metrics. Rejects if the address cannot be used. */
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
    ...{ host, port, basePath: '', registry, logger, logsRequests: false, headers: HEADERS, limits: LIMITS },
    service: { routes: [], answerError, findProblems },
  });
}
