import type { Database } from '@takt/database';

/** The column that stores a hidden field, and an SQL expression for the field's value in the second database. */
export interface Stored {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  readonly otherValue: string;
}

const PLANNED = { table: 'product_structure_versions', key: 'product_structure_version_id' };
const plannedTime = (column: string): Stored => ({
  ...PLANNED,
  column,
  otherValue: `CASE WHEN ${PLANNED.key} % 4 = 0 THEN NULL ELSE 1 + ${PLANNED.key} % 3 END`,
});
type Entry = readonly [name: string, stored: Stored];
const plansOf = (identifier: number): readonly Entry[] => [
  [`${identifier} PlannedProductionTimes.Processing.RunTime`, plannedTime('run_time')],
  [`${identifier} PlannedProductionTimes.Changeover.SetupTime`, plannedTime('setup_time')],
  [`${identifier} PlannedProductionTimes.Changeover.CleanupTime`, plannedTime('cleanup_time')],
];
/**
 * Entries for the fields of a plan comparison. All of them are computed from the column of the planned time, but for the
 * count, which is hidden with its group.
 */
const comparisonWith = (identifier: number, group: string, kind: 'Run' | 'Setup' | 'Cleanup') =>
  ['Count', 'Difference', 'OverPlanPercent', 'HoursOverPlan', 'Verdict', 'MeanLow', 'MeanHigh'].map(
    (figure): Entry => [
      `${identifier} PlanComparison.${group}.${kind}Time${figure}`,
      plannedTime(`${kind.toLowerCase()}_time`),
    ],
  );
const comparisonsOf = (identifier: number): readonly Entry[] => [
  [`${identifier} PlanComparison.HoursOverPlan`, plannedTime('run_time')],
  ...comparisonWith(identifier, 'Processing', 'Run'),
  ...comparisonWith(identifier, 'Changeover.Setup', 'Setup'),
  ...comparisonWith(identifier, 'Changeover.Cleanup', 'Cleanup'),
];
const APPLICATION = { table: 'application_versions', key: 'application_version_id' };
const personal = (column: string, otherValue: string): Stored => ({ ...APPLICATION, column, otherValue });
const creator: Stored = {
  table: 'error_messages',
  key: 'error_message_id',
  column: 'created_by',
  otherValue: '700 + error_message_id % 3',
};

/** Maps each hidden field (resource identifier and path) to its column. Add an entry here for each new hidden field. */
export const STORED: Readonly<Record<string, Stored>> = {
  ...Object.fromEntries([6215, 9003, 9004, 9005].flatMap(plansOf)),
  ...Object.fromEntries([6215, 9005].flatMap(comparisonsOf)),
  ...Object.fromEntries(
    ['PlannedHours', 'ActualHours', 'HoursOverPlan', 'OverPlanPercent'].map((figure) => [
      `9017 AggregatedProductionTimes.${figure}`,
      plannedTime('run_time'),
    ]),
  ),
  ...Object.fromEntries(
    ['PlannedHours', 'ActualHours', 'HoursOverPlan'].map((figure) => [
      `9023 ${figure}`,
      plannedTime('run_time'),
    ]),
  ),
  ...Object.fromEntries(
    ['Run', 'Setup', 'Cleanup'].map((kind) => [
      `9018 PlanComparison.${kind}TimeDifference`,
      plannedTime(`${kind.toLowerCase()}_time`),
    ]),
  ),
  '132 CreatedBy': creator,
  '133 CreatedBy': creator,
  ...Object.fromEntries(
    ['CreatedBy', 'ChangedBy'].flatMap((person) => {
      const prefix = person === 'CreatedBy' ? 'created_by' : 'changed_by';
      const user = personal(`${prefix}_user_id`, '98765');
      return [
        [`2578 ${person}.UserId`, user],
        [`2578 ${person}.UserLink`, user],
        [`2578 ${person}.FirstName`, personal(`${prefix}_first_name`, `'Zebedee'`)],
        [`2578 ${person}.Name`, personal(`${prefix}_name`, 'NULL')],
      ];
    }),
  ),
};

export function storedAs(name: string): Stored {
  const stored = STORED[name];
  if (stored === undefined) throw new Error(`where is ${name} stored?`);
  return stored;
}

/** Writes other values into a column of every row. Returns a function that restores the old values. */
export async function changeColumn(
  owner: Database['pool'],
  { table, key, column, otherValue }: Stored,
): Promise<() => Promise<void>> {
  await owner.query(
    `CREATE TABLE public.kept AS SELECT ${key} AS key, ${column} AS value FROM takt.${table}`,
  );
  await owner.query(`UPDATE takt.${table} SET ${column} = ${otherValue}`);
  return async () => {
    await owner.query(
      `UPDATE takt.${table} SET ${column} = kept.value FROM public.kept WHERE ${key} = kept.key`,
    );
    await owner.query('DROP TABLE public.kept');
  };
}
