import { type Logger, withDeadline } from '@takt/runtime';
import { type RouteRow, shareEncodings } from './router.js';

/** What supervisors and operators may ask any app. */
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

const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** Does the app run, can it do its work, and its figures: for supervisors and operators. They are no resources. */
export function observationRoutes(observed: Observed): readonly RouteRow[] {
  const { metrics } = observed;
  const writeMetrics = shareWhileRunning(async () => {
    const content = Buffer.from(await metrics.metrics());
    return { status: 200, type: metrics.contentType, content, shared: shareEncodings(content) };
  });
  return [
    rowOf('/health/live', async () => plain(200, ['live'])),
    rowOf('/health/ready', async () => {
      const problems = await checkInTime(observed);
      return problems.length === 0
        ? plain(200, ['ready', ...(observed.describe?.() ?? [])])
        : plain(503, problems);
    }),
    rowOf('/metrics', writeMetrics),
  ];
}

interface Observation {
  readonly status: number;
  readonly type: string;
  readonly content: Buffer;
  readonly shared?: ReturnType<typeof shareEncodings>;
}

function plain(status: number, lines: readonly string[]): Observation {
  return { status, type: PLAIN_TEXT, content: Buffer.from(`${lines.join('\n')}\n`) };
}

function rowOf(path: (typeof OBSERVATION_PATHS)[number], observe: () => Promise<Observation>): RouteRow {
  return {
    method: 'GET',
    path,
    template: path,
    answer: async (ctx) => {
      const { status, type, content, shared } = await observe();
      ctx.set({ 'Content-Type': type, 'Cache-Control': 'no-store' });
      ctx.status = status;
      ctx.body = content;
      ctx.state.shared = shared;
      // Those who ask at other times share other bytes, so each counts what it holds.
      if (shared !== undefined) ctx.state.sourceBytes = content.length;
    },
  };
}

async function checkInTime({ findProblems, deadlineMs, logger }: Observed): Promise<readonly string[]> {
  try {
    return await withDeadline(findProblems(), deadlineMs, () => ['the checks did not end in time']);
  } catch (error) {
    logger.error({ error }, 'the readiness checks failed');
    return ['the checks failed'];
  }
}

/** Who asks while it is being found out shares the answer: however many ask, it is found out once. */
export function shareWhileRunning<Value>(find: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => {
    running ??= find().finally(() => {
      running = undefined;
    });
    return running;
  };
}
