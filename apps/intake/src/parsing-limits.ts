import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '@takt/catalogue/errors';
import { ConcurrencyLimiter, type Entry } from '@takt/run';

/** The size of a request's events. */
interface Parsing {
  readonly events: number;
  readonly values: number;
  readonly tokenId: number;
}

/** Limits the memory and time of parsed events, over all requests. */
export interface ParsingLimits {
  /** Runs work on parsed events when there is room for them. Throws overloaded if there is none in time. */
  inRoom<Result>(parsing: Parsing, work: () => Promise<Result>): Promise<Result>;
  /** Runs work that blocks the event loop, one request at a time. Throws overloaded if that takes too long. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Await it between pieces of such work: it yields to others at the end of a turn. */
  rest(): Promise<void> | undefined;
}

/**
 * Some 64 bytes each. Without this limit, 64 KB of empty objects, which need no room as a body, would be a megabyte in
 * each of 500 requests.
 */
const MAX_PARSED_VALUES = 1_000_000;
/** Memory of an event besides its values, and of its problems, in values. */
const VALUES_OF_AN_EVENT = 100;
/** Leaves time within the answer's 2.8 s for storing the events. */
const MAX_WAIT_MS = 2_000;
/** Time that this work may block the event loop before a probe's turn. */
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
