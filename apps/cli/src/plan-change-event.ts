import { createHash } from 'node:crypto';
import type { PlanChange } from '@takt/figures';

/**
 * A change of planned times as the event that takt publish takes. The same change has the same id, whenever the event is made:
 * it follows from what is changed, since when, and into what.
 * @param time when the event is made
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
