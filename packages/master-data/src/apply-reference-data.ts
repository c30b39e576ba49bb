import type { ApplicationVersionChanged, ProductStructureVersionChanged } from '@takt/events';
import type pg from 'pg';
import { toApplicationVersionRow, toStructureVersionChange } from './change-rows.js';

export type ReferenceDataEvent = ProductStructureVersionChanged | ApplicationVersionChanged;

/** Why an event changed nothing: something at least as new was there already, or its company is not registered. */
export type ReferenceDataOutcome = 'stale' | 'unknown-company';

/**
 * Takes changes of master data in; of each structure version, product and application version the newest
 * changedAt wins, in any order of arrival. One statement and transaction for each of the two kinds of event;
 * calling again after an error is safe.
 *
 * Gives the events that had no effect, by their index in `events`.
 */
export async function applyReferenceData(
  pool: pg.Pool,
  events: readonly ReferenceDataEvent[],
): Promise<ReadonlyMap<number, ReferenceDataOutcome>> {
  const structureVersions: Change[] = [];
  const applicationVersions: Change[] = [];
  for (const [index, event] of events.entries()) {
    if (event.type === 'product-structure-version.changed.v1') {
      structureVersions.push({ index, event, row: toStructureVersionChange(event) });
    } else {
      applicationVersions.push({ index, event, row: toApplicationVersionRow(event) });
    }
  }
  return new Map([
    ...(await apply(pool, 'apply_product_structure_version_changes', structureVersions)),
    ...(await apply(pool, 'apply_application_version_changes', applicationVersions)),
  ]);
}

interface Change {
  readonly index: number;
  readonly event: ReferenceDataEvent;
  readonly row: object;
}

async function apply(
  pool: pg.Pool,
  statement: 'apply_product_structure_version_changes' | 'apply_application_version_changes',
  changes: readonly Change[],
): Promise<readonly [number, ReferenceDataOutcome][]> {
  if (changes.length === 0) return [];
  const { rows } = await pool.query<{ position: number; outcome: ReferenceDataOutcome }>({
    name: statement,
    text: `SELECT position, outcome FROM takt.${statement}($1, $2)`,
    values: [changes.map(({ event }) => event.database), JSON.stringify(changes.map(({ row }) => row))],
  });
  return rows.flatMap(({ position, outcome }) => {
    const index = changes[position]?.index;
    return index === undefined ? [] : [[index, outcome]];
  });
}
