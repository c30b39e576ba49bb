import { type Logger, withDeadline } from '@takt/runtime';

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
