import type { IQueueBackend } from 'bullmq';
import type { ClockWatch } from './clock-watch.js';

export interface ClaimGuard {
  readonly clock: ClockWatch;
  /** Aborted when the worker is to claim no more. */
  readonly closing: AbortSignal;
  /** Mends the times that clocks which ran ahead left in the store; nothing to do where the store keeps its own time. */
  readonly repair: () => Promise<void>;
  /** The store takes the client's word for what time it is. */
  readonly isInClientTime: boolean;
}

/** What a claim gives where there is nothing to claim: no job, no id, no limit, no delay. */
const NOTHING: readonly unknown[] = [null, '', 0, 0];

/**
 * Lets a worker claim, and look for stalled jobs, only while its clock and the store's agree. While they do not, a claim
 * waits; jobs that are held are finished and stay claimed for as long as they would otherwise.
 */
export function guardClaims(backend: IQueueBackend, guard: ClaimGuard): IQueueBackend {
  const { clock, closing, repair, isInClientTime } = guard;
  const { moveToActive, moveToCompleted, moveToFailed, extendLocks, moveStalledJobsToWait } = backend;
  const mayClaim = () => clock.state()?.agrees === true;
  backend.moveToActive = async (...call) => {
    await clock.whenAgreed(closing);
    return mayClaim() ? moveToActive.apply(backend, call) : [...NOTHING];
  };
  backend.moveToCompleted = (job, value, keep, token, fetchNext) =>
    moveToCompleted.call(backend, job, value, keep, token, fetchNext && mayClaim());
  backend.moveToFailed = (job, reason, keep, token, fetchNext, fields) =>
    moveToFailed.call(backend, job, reason, keep, token, fetchNext && mayClaim(), fields);
  backend.extendLocks = (jobIds, tokens, durationMs) => {
    const aheadMs = isInClientTime ? (clock.state()?.aheadMs ?? 0) : 0;
    return extendLocks.call(backend, jobIds, tokens, Math.round(durationMs - aheadMs));
  };
  backend.moveStalledJobsToWait = async () => {
    await repair();
    return mayClaim() ? moveStalledJobsToWait.apply(backend) : [];
  };
  return backend;
}
