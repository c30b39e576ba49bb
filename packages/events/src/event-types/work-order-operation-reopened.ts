import { code, identifier, instant } from '../kinds.js';
import { defineEvent, type EventOf } from './define-event.js';

export const workOrderOperationReopened = defineEvent({
  type: 'work-order-operation.reopened.v1',
  queue: 'work-order-operations',
  about: 'A completed operation was reopened; it no longer counts until a newer completion.',
  data: {
    database: code.describe('short code of a registered company'),
    workOrderOperationId: identifier.describe('with `database`, the identity of the operation'),
    revision: identifier.describe('grows with every change to this operation; gaps are allowed'),
    reopenedAt: instant.describe('when the operation was reopened'),
  },
  flatten: (data) => data,
});

export type WorkOrderOperationReopened = EventOf<typeof workOrderOperationReopened>;
