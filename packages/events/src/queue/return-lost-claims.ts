import { setTimeout as delay } from 'node:timers/promises';
import type { IQueueBackend } from 'bullmq';
import { isPassingFailure } from './persist-outcomes.js';
import type { Claim } from './store-view.js';

export interface LostClaims {
  /** To be called when a connection broke whose client repeats by itself what was under way. */
  readonly suspectAll: () => void;
}

export interface LostClaimsOptions {
  readonly findClaims: (tokens: readonly string[]) => Promise<readonly Claim[]>;
  /** Aborted when there is nothing left to look after. */
  readonly closed: AbortSignal;
}

const LOOK_EVERY_MS = 500;
/** So long after its connection broke, a call that was on its way can still arrive. */
const ARRIVAL_MS = 5_000;

/**
 * A claim whose answer is lost with its connection leaves a job claimed that nobody works on, until the claim runs out.
 * BullMQ gives every chain of claims a token of its own, and a chain holds one job at a time; so of the jobs under a
 * token whose call has failed, all but the one that is held are such jobs, and are given back at once.
 *
 * Every claim must pass here once: wrap this before what repeats calls.
 */
export function returnLostClaims(
  backend: IQueueBackend,
  { findClaims, closed }: LostClaimsOptions,
): LostClaims {
  const underWay = new Set<string>();
  /** Job by token. */
  const held = new Map<string, string>();
  /** When the last call of a token failed, by the steady clock. */
  const suspects = new Map<string, number>();
  let isLooking = false;

  const suspect = (token: string) => {
    suspects.set(token, performance.now());
    if (isLooking) return;
    isLooking = true;
    void lookUntilSettled().finally(() => {
      isLooking = false;
    });
  };
  const lookUntilSettled = async () => {
    while (suspects.size > 0 && !closed.aborted) {
      await delay(LOOK_EVERY_MS);
      await look().catch(() => undefined);
    }
  };
  const look = async () => {
    const startedAt = performance.now();
    const tokens = [...suspects.keys()].filter((token) => !underWay.has(token));
    if (tokens.length === 0) return;
    for (const { jobId, token } of await findClaims(tokens)) {
      if (underWay.has(token) || held.get(token) === jobId) continue;
      // Where it is refused, the claim has run out meanwhile.
      await backend.moveJobFromActiveToWait(jobId, token).catch(() => undefined);
    }
    for (const token of tokens) {
      if (startedAt - (suspects.get(token) ?? startedAt) > ARRIVAL_MS) suspects.delete(token);
    }
  };

  const hold = (token: string, jobId: unknown) => {
    held.delete(token);
    if (typeof jobId === 'string' && jobId !== '') held.set(token, jobId);
  };
  const follow = async <Answer>(
    token: string,
    call: () => Promise<Answer>,
    jobIn: (answer: Answer) => unknown,
  ): Promise<Answer> => {
    underWay.add(token);
    try {
      const answer = await call();
      hold(token, jobIn(answer));
      return answer;
    } catch (error) {
      if (isPassingFailure(error)) {
        suspect(token);
      } else {
        held.delete(token);
      }
      throw error;
    } finally {
      underWay.delete(token);
    }
  };
  followCalls(backend, follow);
  return { suspectAll: () => underWay.forEach(suspect) };
}

type Follow = <Answer>(
  token: string,
  call: () => Promise<Answer>,
  jobIn: (answer: Answer) => unknown,
) => Promise<Answer>;

/** A job stands in an answer as its data and its id. */
function followCalls(backend: IQueueBackend, follow: Follow): void {
  const { moveToActive, moveToCompleted, moveToFailed } = backend;
  const idIn = (next: unknown) => (Array.isArray(next) ? next[1] : undefined);
  backend.moveToActive = (...call) => follow(call[0], () => moveToActive.apply(backend, call), idIn);
  backend.moveToCompleted = (...call) =>
    follow(
      call[3],
      () => moveToCompleted.apply(backend, call),
      ({ result }) => idIn(result),
    );
  backend.moveToFailed = (...call) =>
    follow(
      call[3],
      () => moveToFailed.apply(backend, call),
      ({ result }) => idIn(result),
    );
}
