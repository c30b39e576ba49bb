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
  const structureVersions: unknown[] = [];
  const applicationVersions: unknown[] = [];
  const indexes = { structureVersions: [] as number[], applicationVersions: [] as number[] };
  for (const [index, event] of events.entries()) {
    if (event.type === 'product-structure-version.changed.v1') {
      structureVersions.push(toStructureVersionChange(event));
      indexes.structureVersions.push(index);
    } else {
      applicationVersions.push(toApplicationVersionRow(event));
      indexes.applicationVersions.push(index);
    }
  }
  return new Map([
    ...(await apply(
      pool,
      'apply_product_structure_version_changes',
      structureVersions,
      indexes.structureVersions,
    )),
    ...(await apply(
      pool,
      'apply_application_version_changes',
      applicationVersions,
      indexes.applicationVersions,
    )),
  ]);
}

async function apply(
  pool: pg.Pool,
  statement: 'apply_product_structure_version_changes' | 'apply_application_version_changes',
  changes: readonly unknown[],
  indexes: readonly number[],
): Promise<readonly [number, ReferenceDataOutcome][]> {
  if (changes.length === 0) return [];
  const { rows } = await pool.query<{ position: number; outcome: ReferenceDataOutcome }>({
    name: statement,
    text: `SELECT position, outcome FROM takt.${statement}($1)`,
    values: [JSON.stringify(changes)],
  });
  return rows.flatMap(({ position, outcome }) => {
    const index = indexes[position];
    return index === undefined ? [] : [[index, outcome]];
  });
}
