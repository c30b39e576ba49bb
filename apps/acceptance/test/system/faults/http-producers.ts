import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Random } from '@takt/test-support';
import { contentWays, type IntakeRequest } from '../../support/content-ways.js';

/**
 * Producers that publish events over HTTP. Each producer sends one request at a time, and repeats it until the answer
 * is 202.
 */
export interface HttpProducers {
  /** Returns the number of events that got 202. */
  acknowledged(): number;
  /**
   * Outcomes other than 202, one for each request that had to be repeated. An outcome is `connection` if there was no
   * answer.
   */
  readonly otherOutcomes: readonly string[];
  /** Resolves when all events are acknowledged. Rejects if a request is not acknowledged within the deadline. */
  readonly done: Promise<void>;
}

/**
 * Outcome of an answer while an app or server is away. A producer without an answer gets NO_ANSWER; no other outcome is
 * allowed.
 */
export const PASSING = '500 with Retry-After';
export const NO_ANSWER = 'connection';

export interface HttpProducersOptions {
  /** The address of the intake. */
  readonly url: string;
  readonly token: string;
  readonly events: readonly object[];
  readonly random: Random;
  readonly producers: number;
}

/**
 * Possible numbers of events per request: one event as from a machine, or several as from a system that collects
 * events.
 */
const REQUEST_SIZES = [1, 1, 1, 1, 7, 50];
const REQUEST_DEADLINE_MS = 10_000;
const DEADLINE_MS = 240_000;
/** Time in ms until a request is repeated. It is shorter than the time in Retry-After. */
const RETRY_MS = 200;

export function startHttpProducers(options: HttpProducersOptions): HttpProducers {
  const { events, random, producers } = options;
  const requests = cut(events, random);
  const otherOutcomes: string[] = [];
  const endsAt = performance.now() + DEADLINE_MS;
  let acknowledged = 0;
  const produce = async () => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      for (;;) {
        const outcome = await send(options, request);
        if (outcome === 'acknowledged') break;
        otherOutcomes.push(outcome);
        if (performance.now() > endsAt) throw new Error(`not acknowledged in time, last: ${outcome}`);
        await delay(RETRY_MS);
      }
      acknowledged += request.count;
    }
  };
  return {
    acknowledged: () => acknowledged,
    otherOutcomes,
    done: Promise.all(Array.from({ length: producers }, produce)).then(() => undefined),
  };
}

interface EventRequest extends IntakeRequest {
  readonly count: number;
}

/** Divides the events into requests of random sizes and content modes. The last events are sent first. */
function cut(events: readonly object[], random: Random): EventRequest[] {
  const requests: EventRequest[] = [];
  for (let from = 0; from < events.length; ) {
    const part = events.slice(from, from + random.pick(REQUEST_SIZES));
    const ways = contentWays.filter(
      ({ eventsARequest }) => part.length === 1 || eventsARequest === undefined,
    );
    const request = random.pick(ways).toRequest(part.map((event) => ({ json: JSON.stringify(event) })));
    const mayCompress = request.headers['Content-Encoding'] === undefined && random() < 0.3;
    requests.push({ ...(mayCompress ? compressed(request) : request), count: part.length });
    from += part.length;
  }
  return requests;
}

const compressed = ({ body, headers }: IntakeRequest): IntakeRequest => ({
  headers: { ...headers, 'Content-Encoding': 'gzip' },
  body: gzipSync(body),
});

/** Sends a request. Returns `acknowledged`, or one of the other outcomes. */
async function send({ url, token }: HttpProducersOptions, request: EventRequest): Promise<string> {
  try {
    const response = await fetch(`${url}/events`, {
      method: 'POST',
      headers: { ...request.headers, authorization: `Bearer ${token}` },
      body: request.body,
      signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
    });
    const text = await response.text();
    if (response.status === 202 && isAnswerFor(request, text)) return 'acknowledged';
    const isPassing = response.status === 500 && response.headers.has('retry-after');
    return isPassing ? PASSING : `${response.status} ${text.slice(0, 300)}`;
  } catch {
    return NO_ANSWER;
  }
}

function isAnswerFor({ count }: EventRequest, text: string): boolean {
  return text.replace(/\s/g, '') === `{"accepted":${count},"rejected":[]}`;
}
