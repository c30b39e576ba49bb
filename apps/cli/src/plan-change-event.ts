import type { PlanChange } from '@takt/figures';

/**
 * Returns a change of planned times as an event for takt publish. Its id is the moment of the change, and nothing that is derived
 * from the planned times: people who may not read these see the id.
 * @param time creation time of the event
 */
export function toChangedEvent(change: PlanChange, time: string) {
  return {
    specversion: '1.0',
    id: `plan-${change.productStructureVersionKey ?? change.productStructureVersionId}-${change.changedAt}`,
    source: '/takt/plan-suggest',
    type: 'product-structure-version.changed.v1',
    time,
    data: change,
  } as const;
}
