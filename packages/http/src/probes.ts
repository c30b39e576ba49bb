import { shareRun, withDeadline } from '@takt/run';
import type { Service } from './answer.js';
import { shareEncodings } from './encode-answer.js';
import type { Encoding } from './http-request.js';
import type { Serving } from './request-record.js';
import type { RouteRow } from './router.js';

/** Paths for supervisors and operators: liveness, readiness and metrics (for Prometheus). */
export const OBSERVATION_PATHS = ['/health/live', '/health/ready', '/metrics'] as const;

interface ProbeContent {
  readonly status: number;
  readonly type: string;
  readonly content: Buffer;
  /** Returns the document in an encoding. Each encoding is made only once. */
  readonly encoded: (encoding: Encoding) => Promise<Buffer>;
}

interface ProbesOptions extends Pick<Serving, 'limits' | 'isClosing' | 'logger'> {
  readonly service: Pick<Service, 'findProblems' | 'describe'>;
  /** The registry of metrics. A registry of prom-client matches this type. */
  readonly registry: { readonly contentType: string; metrics(): Promise<string> };
}

/**
 * Returns the probes as routes. The answer of `/health/live` is constant. Concurrent requests to each of the other
 * probes share one run, and no request is refused.
 */
export function probeRoutes(options: ProbesOptions): readonly RouteRow[] {
  const { registry } = options;
  const live = contentOf(200, PLAIN_TEXT, 'live\n');
  const finders: Readonly<Record<(typeof OBSERVATION_PATHS)[number], () => Promise<ProbeContent>>> = {
    '/health/live': async () => live,
    '/health/ready': shareRun(() => findReadiness(options)),
    '/metrics': shareRun(async () => contentOf(200, registry.contentType, await registry.metrics())),
  };
  return OBSERVATION_PATHS.map((path) => ({
    method: 'GET',
    path,
    template: path,
    answer: async (ctx) => {
      const { status, type, content, encoded } = await finders[path]();
      ctx.set({ 'Content-Type': type, 'Cache-Control': 'no-store' });
      ctx.status = status;
      ctx.body = content;
      ctx.state.shared = encoded;
    },
  }));
}

const PLAIN_TEXT = 'text/plain; charset=utf-8';

function contentOf(status: 200 | 503, type: string, text: string): ProbeContent {
  const content = Buffer.from(text);
  return { status, type, content, encoded: shareEncodings(content) };
}

async function findReadiness(options: ProbesOptions): Promise<ProbeContent> {
  const problems = options.isClosing() ? ['the service is shutting down'] : await findProblems(options);
  if (problems.length > 0) return contentOf(503, PLAIN_TEXT, `${problems.join('\n')}\n`);
  return contentOf(200, PLAIN_TEXT, `${['ready', ...(options.service.describe?.() ?? [])].join('\n')}\n`);
}

async function findProblems({ service, limits, logger }: ProbesOptions): Promise<readonly string[]> {
  try {
    return await withDeadline(service.findProblems(), limits.answerDeadlineMs, () => [
      'the checks did not end in time',
    ]);
  } catch (error) {
    logger.error({ error }, 'the readiness checks failed');
    return ['the checks failed'];
  }
}
