import type { WorkOrderOperationEvent } from '@takt/production-times';

/**
 * Cuts events into batches of `size`, of which the share `duplicates` came in an earlier batch already: spread evenly
 * over the batches, and inside a batch over its places.
 */
export function cutBatches(
  fresh: readonly WorkOrderOperationEvent[],
  { size, duplicates }: { readonly size: number; readonly duplicates: number },
): readonly (readonly WorkOrderOperationEvent[])[] {
  const batches: WorkOrderOperationEvent[][] = [[]];
  let owed = 0;
  let taken = 0;
  let repeated = 0;
  while (taken < fresh.length) {
    let batch = batches.at(-1) ?? [];
    if (batch.length === size) {
      batch = [];
      batches.push(batch);
    }
    // What stands in this batch is no event of an earlier one.
    const known = taken - batch.length;
    owed += duplicates;
    const event = owed >= 1 && known > 0 ? fresh[(repeated * 7) % known] : fresh[taken];
    if (event === undefined) break;
    if (event === fresh[taken]) {
      taken += 1;
    } else {
      owed -= 1;
      repeated += 1;
    }
    batch.push(event);
  }
  return batches;
}
