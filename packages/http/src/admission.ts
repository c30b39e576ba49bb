import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ConcurrencyLimiter } from '@takt/run';
import type { Bodies } from './bodies.js';
import type { HttpLimits } from './limits.js';
import { isProbe } from './probes.js';
import type { Refuse } from './refuse-quickly.js';
import type { Serving } from './request-record.js';

export type AdmissionLimits = Pick<
  HttpLimits,
  'maxInFlight' | 'maxInFlightPerAddress' | 'maxRunning' | 'maxWaitMs'
>;

/**
 * Limits for routes that take bodies. These routes have places of their own, because a sign-in may wait for seconds
 * without querying the database. In the common places, two addresses that guess passwords would block everybody.
 */
const BODY_PLACES: AdmissionLimits = {
  maxInFlight: 200,
  maxInFlightPerAddress: 100,
  maxRunning: 100,
  maxWaitMs: 400,
};

const REFUSALS = { late: 'requestBudgetSpent', full: 'overloaded', scattered: 'chunksTooSmall' } as const;

/**
 * The part of a request's deadline that may pass before the work on the request starts. A request that waits longer is
 * refused.
 */
const START_SHARE = 7 / 8;

interface AdmitOptions extends Pick<Serving, 'limits' | 'slices' | 'connections' | 'addressOf'> {
  readonly bodyPlaces?: AdmissionLimits | undefined;
  readonly bodies: Bodies;
  /** Returns true for a request whose route reads the body as it arrives. Such requests take no place. */
  readonly isStreamed: (request: IncomingMessage) => boolean;
  readonly answer: (...message: Parameters<RequestListener>) => Promise<void>;
  readonly refuse: Refuse;
}

/**
 * Serves the requests that can be answered in time and refuses all other requests, under any load. Probes never wait.
 * Other requests take a place once their body has arrived.
 */
export function admitRequests(options: AdmitOptions): RequestListener {
  const { limits, slices, connections, bodies, addressOf, answer, refuse } = options;
  const places = openPlaces(limits);
  const bodyPlaces = openPlaces(options.bodyPlaces ?? BODY_PLACES);
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const untilMs = () => connections.arrivedAtMs(request) + limits.answerDeadlineMs * START_SHARE;
    const arrival = await bodies.read(request, response, untilMs);
    if (arrival !== 'arrived') {
      refuse(REFUSALS[arrival], request, response);
      return;
    }
    const latestStartMs = untilMs();
    const wanted = bodies.isFor(request) ? bodyPlaces : places;
    const leave = await wanted.enter({ owners: { address: addressOf(request) } });
    if (typeof leave === 'string') {
      refuse('overloaded', request, response);
      return;
    }
    slices.add(() => {
      const isGone = request.socket.destroyed;
      if (!isGone && performance.now() <= latestStartMs) {
        answer(request, response).then(leave, leave);
        return;
      }
      leave();
      if (!isGone) refuse('requestBudgetSpent', request, response);
    });
  };
  const isPlaceless = (request: IncomingMessage) => isProbe(request) || options.isStreamed(request);
  return (request, response) => void (isPlaceless(request) ? answer : take)(request, response);
}

/**
 * Opens the places for requests. One address may use the same share of the running places as of the waiting places, so
 * other addresses always find free places.
 */
function openPlaces({
  maxInFlight,
  maxInFlightPerAddress,
  maxRunning,
  maxWaitMs,
}: AdmissionLimits): ConcurrencyLimiter {
  const capacity = Math.min(maxRunning, maxInFlight);
  const share = Math.min(capacity, Math.ceil((capacity * maxInFlightPerAddress) / maxInFlight));
  return new ConcurrencyLimiter({
    capacity,
    shares: { address: share },
    maxWaiting: maxInFlight - capacity,
    waitingShares: { address: maxInFlightPerAddress - share },
    maxWaitMs,
  });
}
