import { completion, toJson } from './sample-events.js';

export const GOOD_COMPANY = 'GOOD';

/** Valid completions, each of an operation of its own, and what they must add up to. */
export interface GoodEvents {
  /** JSON text of another one. */
  next(data?: Parameters<typeof completion>[0]): string;
  /** The operations that must stand in the ledger, in order. */
  operations(): readonly number[];
}

export function createGoodEvents(): GoodEvents {
  const operations: number[] = [];
  return {
    next: (data = {}) => {
      const event = { workOrderOperationId: 1_000_000 + operations.length, ...data };
      operations.push(Number(event.workOrderOperationId));
      return toJson(completion(event));
    },
    operations: () => [...operations].sort((a, b) => a - b),
  };
}
