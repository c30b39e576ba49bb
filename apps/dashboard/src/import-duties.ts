import type { Duty } from '@takt/access';

/** The duties for the pages of imports. A preview compares a file with stored times. */
export const MAY_IMPORT = ['operate-queues', 'read-production-times'] as const satisfies readonly Duty[];

/**
 * The duty for importing plans and undoing it. Without it, an operation is not compared with its plan either, because a few
 * previews would be enough to find out the plan.
 */
export const SEES_PLANS: Duty = 'read-planned-times';
