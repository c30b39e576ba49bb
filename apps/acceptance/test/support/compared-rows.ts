const KINDS = ['run', 'setup', 'cleanup'] as const;
export type Kind = (typeof KINDS)[number];

type Figures = { readonly [name: string]: Figures | number | string | null };
export type Row = Readonly<
  Record<'aggregatedProductionTimes' | 'planComparison' | 'plannedProductionTimes', Figures>
> & {
  readonly productStructureVersion: { readonly productStructureVersionId: number };
  readonly comparedPeriod?: Figures;
};

/** Returns figures as one object without groups. */
export function flat(figures: Figures | undefined): Readonly<Record<string, number | string | null>> {
  return Object.fromEntries(
    Object.entries(figures ?? {}).flatMap(([name, value]) =>
      value !== null && typeof value === 'object' ? Object.entries(flat(value)) : [[name, value]],
    ),
  );
}

/**
 * Returns the expected ComparedPeriod of a row. Computes it from the times in both periods, and from rows that the API
 * returned for each period alone.
 */
export function expectedComparison(
  now: Row | undefined,
  before: Row | undefined,
  timesOf: (kind: Kind) => readonly [now: readonly bigint[], before: readonly bigint[]],
) {
  const other = { ...flat(before?.aggregatedProductionTimes), ...flat(before?.planComparison) };
  const planned = flat(now?.plannedProductionTimes);
  const hasPlan = Object.values(planned).some((value) => value !== null);
  const hoursOf = (plan: unknown, hours: unknown) => (plan === null ? null : (hours ?? 0));
  return {
    comparedHoursOverPlan: hasPlan ? (other['hoursOverPlan'] ?? 0) : null,
    ...Object.fromEntries(
      KINDS.flatMap((kind) => {
        const [ofNow, ofBefore] = timesOf(kind);
        const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Time`;
        return [
          [`${kind}TimeComparedCount`, ofBefore.length],
          [`${kind}TimeChange`, changeOf(ofNow, ofBefore)],
          [`${kind}TimeComparedAverage`, other[`average${name}`] ?? null],
          [
            `${kind}TimeComparedHoursOverPlan`,
            hoursOf(planned[`${kind}Time`], other[`${kind}TimeHoursOverPlan`]),
          ],
        ];
      }),
    ),
  };
}

/**
 * Returns the change of the mean in percent of the earlier mean. Computes with exact means and rounds to 2 decimals,
 * half away from zero. Null if one of the means is missing.
 */
function changeOf(now: readonly bigint[], before: readonly bigint[]): number | null {
  const sum = (times: readonly bigint[]) => times.reduce((total, time) => total + time, 0n);
  const [difference, whole] = [
    sum(now) * BigInt(before.length) - sum(before) * BigInt(now.length),
    sum(before) * BigInt(now.length),
  ];
  if (whole === 0n) return null;
  const magnitude = difference < 0n ? -difference : difference;
  const hundredths = Number((20_000n * magnitude + whole) / (2n * whole));
  return hundredths === 0 ? 0 : (difference < 0n ? -hundredths : hundredths) / 100;
}
