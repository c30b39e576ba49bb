import type { Random } from './random.js';
import type { ReportedOperation } from './shop-floor.js';

/** The operations that may still be corrected: the newest ones, so that memory stays bounded. */
export interface RecentOperations {
  add(operation: ReportedOperation): void;
  /** Reopened ones come up often, since someone waits for their completion. Throws when empty. */
  pick(random: Random): ReportedOperation;
  isEmpty(): boolean;
}

const MAX_OPERATIONS = 5_000;
const REOPENED_FIRST_SHARE = 0.5;

export function createRecentOperations(): RecentOperations {
  const operations: ReportedOperation[] = [];
  let reopened: ReportedOperation[] = [];
  let oldest = 0;
  return {
    add: (operation) => {
      if (operations.length < MAX_OPERATIONS) {
        operations.push(operation);
        return;
      }
      operations[oldest] = operation;
      oldest = (oldest + 1) % MAX_OPERATIONS;
    },
    pick: (random) => {
      reopened = reopened.filter((operation) => operation.isReopened);
      const first = random.chance(REOPENED_FIRST_SHARE) ? reopened[0] : undefined;
      const operation = first ?? random.pick(operations);
      // It is this pick that may reopen it; the next one looks.
      if (!operation.isReopened) reopened.push(operation);
      return operation;
    },
    isEmpty: () => operations.length === 0,
  };
}
