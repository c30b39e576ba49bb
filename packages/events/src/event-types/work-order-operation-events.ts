import { code, hours, identifier, integer, optional, pastInstant } from '../kinds.js';
import { defineEvent } from './define-event.js';
import { namedBy } from './object-names.js';

export const workOrderOperationCompleted = defineEvent({
  type: 'work-order-operation.completed.v1',
  queue: 'work-order-operations',
  about: 'An operation of a production work order was completed, or what was reported of it was corrected.',
  data: {
    database: code.describe('short code of a registered company'),
    ...namedBy('workOrderOperation', 'with `database`, the identity of the operation'),
    ...namedBy('workOrder', 'the work order of the operation', integer),
    revision: identifier.describe('grows with every change to this operation; gaps are allowed'),
    ...namedBy('productStructureVersion', 'what was made; need not be known yet'),
    completedAt: pastInstant.describe('when it was completed; at most a day ahead of the clock'),
    runTime: hours.describe('time spent making, without changeover'),
    setupTime: optional(hours).describe('changeover before; null is "not reported", unlike zero'),
    cleanupTime: optional(hours).describe('changeover after; null is "not reported", unlike zero'),
  },
  flatten: (data) => data,
});

export const workOrderOperationReopened = defineEvent({
  type: 'work-order-operation.reopened.v1',
  queue: 'work-order-operations',
  about: 'A completed operation was reopened; it no longer counts until a newer completion.',
  data: {
    database: code.describe('short code of a registered company'),
    ...namedBy('workOrderOperation', 'with `database`, the identity of the operation'),
    revision: identifier.describe('grows with every change to this operation; gaps are allowed'),
    reopenedAt: pastInstant.describe('when it was reopened; at most a day ahead of the clock'),
  },
  flatten: (data) => data,
});
