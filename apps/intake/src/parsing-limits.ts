import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '@takt/catalogue/errors';
import { ConcurrencyLimiter, type Entry } from '@takt/run';

/** The numbers of events and values of a request. */
interface Parsing {
  readonly events: number;
  readonly values: number;
  readonly tokenId: number;
}

/** Bounds the memory and the time for parsed events of all requests together. */
export interface ParsingLimits {
  /** Runs work on parsed events when there is room for them. Throws overloaded if there is none in time. */
  inRoom<Result>(parsing: Parsing, work: () => Promise<Result>): Promise<Result>;
  /** Runs work that blocks the event loop, one request at a time. Throws overloaded if that takes too long. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Await it between parts of such work: it lets others run when a turn's time is over. */
  rest(): Promise<void> | undefined;
}

/**
 * Limit of values in memory, at some 64 bytes each. Without it, 64 KB of empty objects, too small for the budget of
 * bodies, would be a megabyte in each of 500 requests.
 */
const MAX_PARSED_VALUES = 1_000_000;
/** Memory of an event in addition to its values, with its problems, expressed as a number of values. */
const VALUES_OF_AN_EVENT = 100;
/** Of the 2.8 s for the answer, the rest is for storing the events. */
const MAX_WAIT_MS = 2_000;
/** Time that this work may block the event loop before health checks get a turn. */
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
