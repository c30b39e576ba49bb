import { createHash } from 'node:crypto';
import type { PlanChange } from '@takt/figures';

/**
 * Returns a change of planned times as an event for takt publish. The id of the event is derived from its content, so
 * the same change always has the same id.
 * @param time creation time of the event
 */
export function toChangedEvent(change: PlanChange, time: string) {
  const hash = createHash('sha256').update(JSON.stringify(change)).digest('base64url');
  return {
    specversion: '1.0',
    id: `plan-${change.productStructureVersionId}-${hash.slice(0, 22)}`,
    source: '/takt/plan-suggest',
    type: 'product-structure-version.changed.v1',
    time,
    data: change,
  } as const;
}
