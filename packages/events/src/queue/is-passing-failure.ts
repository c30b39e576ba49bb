import { DatabaseError } from 'pg';

/**
 * SQLSTATE classes that say nothing against the statement: connection exceptions, a server in the wrong state (a
 * standby after a failover), rollbacks such as deadlocks, lack of resources, operator intervention, system errors.
 */
const PASSING_CLASSES: ReadonlySet<string> = new Set(['08', '25', '40', '53', '55', '57', '58']);

/** First words of Redis's errors that a restart, a failover or an operator ends. */
const PASSING_REPLIES =
  /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|BUSY|OOM|MISCONF|UNBLOCKED)\b/;

/** Whether the same call can succeed later: the store was away, starting or busy, and did not object to the call. */
export function isPassingFailure(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  if (error instanceof DatabaseError) return PASSING_CLASSES.has((error.code ?? '').slice(0, 2));
  if (error.name === 'ReplyError') return PASSING_REPLIES.test(error.message);
  // What is left: BullMQ's refusals have a number as their code, lost connections a name or none.
  return !('code' in error && typeof error.code === 'number');
}
