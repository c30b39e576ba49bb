import { answerObservation, type Logger, OBSERVATION_PATHS } from '@takt/runtime';
import type { HttpMetrics } from '../http-metrics.js';
import type { HttpLimits } from '../limits.js';
import type { RouteRow } from '../router.js';

export interface ObservationRoutesOptions {
  readonly findProblems: () => Promise<readonly string[]>;
  readonly metrics: HttpMetrics;
  readonly limits: HttpLimits;
  readonly logger: Logger;
  readonly isClosing: () => boolean;
}

/** Health and metrics, for supervisors and operators. They are no resources. */
export function observationRoutes(options: ObservationRoutesOptions): readonly RouteRow[] {
  const observed = {
    findProblems: async () =>
      options.isClosing() ? ['the service is shutting down'] : options.findProblems(),
    deadlineMs: options.limits.answerDeadlineMs,
    metrics: options.metrics.registry,
    logger: options.logger,
  };
  return OBSERVATION_PATHS.map((path) => ({
    path,
    template: path,
    answer: async (ctx) => {
      const { status, type, text } = await answerObservation(path, observed);
      ctx.set('Content-Type', type);
      ctx.set('Cache-Control', 'no-store');
      ctx.status = status;
      ctx.body = text;
    },
  }));
}
