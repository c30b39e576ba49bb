import type { IncomingMessage } from 'node:http';
import { shareRun, withDeadline } from '@takt/run';
import type { Service } from './answer.js';
import { shareEncodings } from './encode-answer.js';
import { type Encoding, readRequestTarget } from './http-request.js';
import type { Serving } from './request-record.js';
import type { RouteRow } from './router.js';

/** Paths for supervisors and operators: liveness, readiness and metrics (for Prometheus). */
export const OBSERVATION_PATHS = ['/health/live', '/health/ready', '/metrics'] as const;

/** Returns true if the request is a probe. Probes need no place, because strangers could occupy all places. */
export function isProbe({ method, url = '' }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { path } = readRequestTarget(url);
  return OBSERVATION_PATHS.some((known) => known === path);
}

interface ProbeContent {
  readonly status: number;
  readonly type: string;
  readonly content: Buffer;
  /** Returns the document in an encoding. Each encoding is made only once. */
  readonly encoded: (encoding: Encoding) => Promise<Buffer>;
}

interface ProbesOptions extends Pick<Serving, 'limits' | 'slices' | 'isClosing' | 'logger'> {
  readonly service: Pick<Service, 'findProblems' | 'describe'>;
  /** The registry of metrics. A registry of prom-client matches this type. */
  readonly registry: { readonly contentType: string; metrics(): Promise<string> };
}

/**
 * Returns the probes as routes. The answer of `/health/live` is constant. Concurrent requests to each of the other
 * probes share one run, and no request is refused.
 */
export function probeRoutes(options: ProbesOptions): readonly RouteRow[] {
  const { registry, slices } = options;
  const live = contentOf(200, PLAIN_TEXT, 'live\n');
  const share = (find: () => Promise<ProbeContent>) =>
    shareRun(async () => {
      // The run starts after the requests that have already arrived are known, so that they share the run. Otherwise a
      // fast check would run once for each request.
      await new Promise<void>((resolve) => slices.add(resolve));
      return find();
    });
  const finders: Readonly<Record<(typeof OBSERVATION_PATHS)[number], () => Promise<ProbeContent>>> = {
    '/health/live': async () => live,
    '/health/ready': share(() => findReadiness(options)),
    '/metrics': share(async () => contentOf(200, registry.contentType, await registry.metrics())),
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
