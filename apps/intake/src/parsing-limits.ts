import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '@takt/catalogue/errors';
import { ConcurrencyLimiter, type Entry } from '@takt/run';

/** The number of events and the number of values in a request. */
interface Parsing {
  readonly events: number;
  readonly values: number;
  readonly tokenId: number;
}

/** Bounds the memory and the time for the parsed events of all requests together. */
export interface ParsingLimits {
  /** Runs work on parsed events when there is room for these events. Throws overloaded if there is no room in time. */
  inRoom<Result>(parsing: Parsing, work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs work that blocks the event loop, for one request at a time. Throws overloaded if the turn does not come in
   * time.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Must be awaited between the parts of work that blocks the event loop. It lets other work run when the time of a
   * turn is over.
   */
  rest(): Promise<void> | undefined;
}

/**
 * Maximum number of values in memory; a value takes some 64 bytes. Without this limit, a body of 64 KB with empty
 * objects, which is too small to count as a large body, would take a megabyte in each of 500 requests.
 */
const MAX_PARSED_VALUES = 1_000_000;
/** Memory that an event with its problems takes in addition to its values, expressed as a number of values. */
const VALUES_OF_AN_EVENT = 100;
/** Maximum time to wait for room and a turn. The answer may take 2.8 s; the rest is for storing the events. */
const MAX_WAIT_MS = 2_000;
/** Time in milliseconds for which this work may block the event loop before health checks get a turn. */
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
