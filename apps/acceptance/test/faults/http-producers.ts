import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Random } from '@takt/test-support';

/** Producers that publish over HTTP, each one request at a time, again until it is answered with 202. */
export interface HttpProducers {
  /** Events that were answered with 202. */
  acknowledged(): number;
  /** What was answered instead, or `connection` where nothing was; one for each request that was sent again. */
  readonly otherOutcomes: readonly string[];
  /** Resolves when all events were acknowledged; rejects where one was not within the deadline. */
  readonly done: Promise<void>;
}

/** What a producer may meet while something is away, beside no answer at all. */
export const PASSING = '500 with Retry-After';
export const NO_ANSWER = 'connection';

export interface HttpProducersOptions {
  /** Of the intake. */
  readonly url: string;
  readonly token: string;
  readonly events: readonly object[];
  readonly random: Random;
  readonly producers: number;
}

/** How many events a request has: as a machine sends them, and as a system that collects them does. */
const REQUEST_SIZES = [1, 1, 1, 1, 7, 50];
const REQUEST_DEADLINE_MS = 10_000;
const DEADLINE_MS = 240_000;
/** A producer of the tests is in a greater hurry than Retry-After asks for. */
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

interface EventRequest {
  readonly count: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Of sizes and in forms that come by chance, the last events first. */
function cut(events: readonly object[], random: Random): EventRequest[] {
  const requests: EventRequest[] = [];
  for (let from = 0; from < events.length; ) {
    const part = events.slice(from, from + random.pick(REQUEST_SIZES));
    requests.push(random() < 0.3 ? compressed(formOf(part, random)) : formOf(part, random));
    from += part.length;
  }
  return requests;
}

function formOf(events: readonly object[], random: Random): EventRequest {
  const forms = [inBatch('application/cloudevents-batch+json'), inBatch('application/json'), inLines];
  const [first] = events;
  if (events.length > 1 || first === undefined) return random.pick(forms)(events);
  return random.pick([...forms, structured, binary])(events);
}

const inBatch =
  (type: string) =>
  (events: readonly object[]): EventRequest => ({
    count: events.length,
    headers: { 'content-type': type },
    body: JSON.stringify(events),
  });

const inLines = (events: readonly object[]): EventRequest => ({
  count: events.length,
  headers: { 'content-type': 'application/x-ndjson' },
  body: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
});

const structured = ([event]: readonly object[]): EventRequest => ({
  count: 1,
  headers: { 'content-type': 'application/cloudevents+json' },
  body: JSON.stringify(event),
});

/** The attributes in headers, the data alone in the body. */
const binary = ([event]: readonly object[]): EventRequest => {
  const { data, ...attributes } = Object(event);
  const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, String(value)]);
  return {
    count: 1,
    headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' },
    body: JSON.stringify(data),
  };
};

const compressed = ({ body, headers, count }: EventRequest): EventRequest => ({
  count,
  headers: { ...headers, 'content-encoding': 'gzip' },
  body: gzipSync(body),
});

/** Gives `acknowledged`, or one of the other outcomes. */
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
