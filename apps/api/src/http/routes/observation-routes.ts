import type { Logger } from '@takt/runtime';
import type { HttpMetrics } from '../http-metrics.js';
import type { HttpContext } from '../http-request.js';
import type { HttpLimits } from '../limits.js';
import type { RouteRow } from '../router.js';
import { withDeadline } from '../with-deadline.js';

export interface ObservationRoutesOptions {
  readonly findProblems: () => Promise<readonly string[]>;
  readonly metrics: HttpMetrics;
  readonly limits: HttpLimits;
  readonly logger: Logger;
  readonly isClosing: () => boolean;
}

/** /health/live, /health/ready and /metrics (Prometheus), for supervisors and operators. They are no resources. */
export function observationRoutes(options: ObservationRoutesOptions): readonly RouteRow[] {
  const { registry } = options.metrics;
  const rows: readonly Omit<RouteRow, 'template'>[] = [
    { path: '/health/live', answer: (ctx) => sendText(ctx, 200, 'live\n') },
    {
      path: '/health/ready',
      answer: async (ctx) => {
        const problems = await findProblems(options);
        if (problems.length === 0) sendText(ctx, 200, 'ready\n');
        else sendText(ctx, 503, `${problems.join('\n')}\n`);
      },
    },
    {
      path: '/metrics',
      answer: async (ctx) => sendText(ctx, 200, await registry.metrics(), registry.contentType),
    },
  ];
  return rows.map((row) => ({ ...row, template: row.path }));
}

async function findProblems(options: ObservationRoutesOptions): Promise<readonly string[]> {
  if (options.isClosing()) return ['the service is shutting down'];
  try {
    return await withDeadline(options.findProblems(), options.limits.answerDeadlineMs, () => [
      'the checks did not end in time',
    ]);
  } catch (error) {
    options.logger.error({ error }, 'the readiness checks failed');
    return ['the checks failed'];
  }
}

function sendText(ctx: HttpContext, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  ctx.set('Content-Type', type);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  ctx.body = text;
}
