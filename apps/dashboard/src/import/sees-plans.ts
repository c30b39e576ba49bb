import type { Duty } from '@takt/access';

/**
 * The duty for importing plans and undoing it. Without it, an operation is not compared with its plan either, because a few
 * previews would be enough to find out the plan.
 */
export const SEES_PLANS: Duty = 'read-planned-times';
