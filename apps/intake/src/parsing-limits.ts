import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '@takt/catalogue/errors';
import { ConcurrencyLimiter, type Entry } from '@takt/run';

/** What a request is about to parse. */
interface Parsing {
  readonly events: number;
  readonly values: number;
  readonly tokenId: number;
}

/** Bounds what events take of memory and of the event loop once they are parsed, over all requests. */
export interface ParsingLimits {
  /** Does what keeps the parsed events of a request, when there is room for them. Throws overloaded where there is none in time. */
  inRoom<Result>(parsing: Parsing, work: () => Promise<Result>): Promise<Result>;
  /** Does what keeps the event loop busy, when no other request does. Throws overloaded where that takes too long. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** To be awaited between pieces of such work: others get the event loop where this turn of it is over. */
  rest(): Promise<void> | undefined;
}

/**
 * Some 64 bytes each. Without this bound, 64 KB of empty objects, which take no room while they come, would be a megabyte in
 * each of 500 requests.
 */
const MAX_PARSED_VALUES = 1_000_000;
/** What an event takes beside its values, and what is told of one that breaks every rule. */
const VALUES_OF_AN_EVENT = 100;
/** What is left of the 2.8 s of an answer is for the queues to store its events. */
const MAX_WAIT_MS = 2_000;
/** How long all such work may keep the event loop before a probe gets its turn. */
const TURN_MS = 2;

export function createParsingLimits(): ParsingLimits {
  const room = new ConcurrencyLimiter({
    capacity: MAX_PARSED_VALUES,
    shares: { token: MAX_PARSED_VALUES / 2 },
  });
  const loop = new ConcurrencyLimiter({ capacity: 1 });
  let turnEndsAtMs = 0;
  const nextTurn = async () => {
    await setImmediate();
    turnEndsAtMs = performance.now() + TURN_MS;
  };
  return {
    inRoom: ({ events, values, tokenId }, work) =>
      pass(room, { size: values + VALUES_OF_AN_EVENT * events, owners: { token: String(tokenId) } }, work),
    alone: (work) => pass(loop, {}, work),
    rest: () => (performance.now() > turnEndsAtMs ? nextTurn() : undefined),
  };
}

async function pass<Result>(
  limiter: ConcurrencyLimiter,
  entry: Entry,
  work: () => Promise<Result>,
): Promise<Result> {
  const leave = await limiter.enter({ ...entry, untilMs: performance.now() + MAX_WAIT_MS });
  if (typeof leave === 'string') throw new ServiceError('overloaded');
  try {
    return await work();
  } finally {
    leave();
  }
}
