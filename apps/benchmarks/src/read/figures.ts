/** What the questions know of the rows that `fillDatabase` makes. */

/** Times, by how `fillDatabase` makes them from the time of one operation of their kind. */
const SHARES: Readonly<Record<string, number>> = {
  RunTime: 0.9,
  AverageRunTime: 1,
  ShortestRunTime: 0.6,
  LongestRunTime: 1.9,
  DeviationRunTime: Math.sqrt(0.05),
  SetupTime: 1,
  AverageSetupTime: 1,
  ShortestSetupTime: 0.4,
  LongestSetupTime: 2.5,
  DeviationSetupTime: Math.sqrt(0.1),
  CleanupTime: 1,
  AverageCleanupTime: 1,
  ShortestCleanupTime: 1 / 3,
  LongestCleanupTime: 3,
  DeviationCleanupTime: Math.sqrt(0.2),
};

/** Planned and actual times, in hours. */
export const TIMES = Object.keys(SHARES);

/** All fields that can be ordered by. */
export const ORDER_FIELDS = [
  ...TIMES,
  'NumberOfCompletedProductionWorkOrders',
  'ProductName',
  'HoursOverPlan',
  ...['Run', 'Setup', 'Cleanup'].flatMap((kind) => [
    `${kind}TimeDifference`,
    `${kind}TimeOverPlanPercent`,
    `${kind}TimeHoursOverPlan`,
  ]),
];

/** Hours, below which about `share` (0 to 1) of those structure versions are that have such a time. */
export function quantileOf(time: string, share: number): number {
  const base = time.includes('Run')
    ? 0.05 - 4 * Math.log(1 - share)
    : share * (time.includes('Setup') ? 3 : 1);
  return base * (SHARES[time] ?? 1);
}

/** The column that a field is read from. */
export function columnOf(field: string): string {
  if (field === 'NumberOfCompletedProductionWorkOrders') return 'number_of_completed_operations';
  if (field === 'ProductStructureVersionStatus') return 'status';
  return field.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
