/** An event that is not taken: kept as a failed job with this reason, which names the field and the rule. */
export interface Rejection {
  readonly rejected: string;
}

/** What became of an event. A duplicate and a stale one changed nothing and are only counted. */
export type EventOutcome = 'applied' | 'duplicate' | 'stale' | Rejection;

export function isRejection(outcome: EventOutcome): outcome is Rejection {
  return typeof outcome === 'object';
}
