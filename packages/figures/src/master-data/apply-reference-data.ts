import type pg from 'pg';
import {
  applyBatch,
  type IneffectiveRow,
  type MisnamedOutcome,
  ofRows,
  type Postponed,
  type RejectionWriter,
} from '../apply-batch.js';
import { type Change, type ReferenceDataEvent, toChange } from './change-rows.js';

/**
 * The reason why an event had no effect. A duplicate (same changedAt, same content) and a stale event (older changedAt)
 * are only counted. A conflict (same changedAt, other content) and an unknown company lead to rejection. On a cluster an
 * event may also be postponed.
 */
export type ReferenceDataOutcome =
  | 'duplicate'
  | 'stale'
  | 'conflict'
  | 'unknown-company'
  | MisnamedOutcome
  | Postponed;

/**
 * Applies changes of master data. For each structure version, product and application version, the change with the
 * newest changedAt wins, in whichever order the changes arrive. There is one statement and one transaction for each
 * type of event. Calling again after an error is safe. Returns the events without effect, by their index in `events`.
 * @param rejections writes the rejected events in the transactions of the others
 */
export async function applyReferenceData(
  pool: pg.Pool,
  events: readonly ReferenceDataEvent[],
  rejections?: RejectionWriter<ReadonlyMap<number, ReferenceDataOutcome>>,
): Promise<ReadonlyMap<number, ReferenceDataOutcome>> {
  const changes = events.map((event, index) => ({ ...toChange(event), index, database: event.database }));
  const outcomes = new Map<number, ReferenceDataOutcome>();
  let writer = rejections;
  for (const takenBy of new Set(changes.map((change) => change.takenBy))) {
    const ofOneKind = changes.filter((change) => change.takenBy === takenBy);
    for (const [index, outcome] of await apply(pool, takenBy, ofOneKind, writer))
      outcomes.set(index, outcome);
    // The first transaction has written the invalid events.
    writer = writer && { ...writer, isExpected: false, writeInvalid: async () => undefined };
  }
  return outcomes;
}

type RowOutcome = Exclude<ReferenceDataOutcome, object>;
type IndexedChange = { readonly index: number; readonly database: string; readonly row: object };

async function apply(
  pool: pg.Pool,
  takenBy: Change['takenBy'],
  changes: readonly IndexedChange[],
  rejections: RejectionWriter<ReadonlyMap<number, ReferenceDataOutcome>> | undefined,
): Promise<ReadonlyMap<number, ReferenceDataOutcome>> {
  const misnamed = takenBy === 'apply_application_version_changes' ? 'NULL AS misnamed' : 'misnamed';
  const batch = {
    takenBy,
    columns: `position, CASE WHEN is_conflict THEN 'conflict' ELSE outcome END AS outcome, ${misnamed}`,
    databases: changes.map(({ database }) => database),
    rows: changes.map(({ row }) => row),
  };
  const toOutcomes = (rows: readonly IneffectiveRow<RowOutcome>[]) =>
    new Map(
      rows.flatMap(({ position, outcome, misnamed: kind }): readonly [number, ReferenceDataOutcome][] => {
        const index = changes[position]?.index;
        return index === undefined ? [] : [[index, kind ? { misnamed: kind } : outcome]];
      }),
    );
  return toOutcomes(await applyBatch<RowOutcome>(pool, batch, ofRows(rejections, toOutcomes)));
}
