import { describeTimes } from './describe-times.js';
import { ExactDecimal } from './exact-decimal.js';

type Time = 'run' | 'setup' | 'cleanup';

/**
 * The name of a figure of a structure version: the 13 that are served, and the sums and counts that they are
 * derived from, which must be exact too.
 */
export type FigureName =
  | 'numberOfCompletedProductionWorkOrders'
  | `${'average' | 'shortest' | 'longest' | 'deviation'}${Capitalize<Time>}Time`
  | `${Time}Time${'Sum' | 'SumOfSquares'}`
  | `${Exclude<Time, 'run'>}TimeCount`;

/** Every figure as decimal text, in hours but for counts; null where no value was reported. */
export type Figures = Readonly<Record<FigureName, string | null>>;

/** What completed operations of one structure version report, in hours as decimal text; nulls left out. */
export interface ReportedTimes {
  readonly run: readonly string[];
  readonly setup: readonly string[];
  readonly cleanup: readonly string[];
}

/** All figures of one structure version from what its completed operations report. */
export function recomputeFigures(times: ReportedTimes): Figures {
  const run = describeTimes(times.run);
  const setup = describeTimes(times.setup);
  const cleanup = describeTimes(times.cleanup);
  return {
    numberOfCompletedProductionWorkOrders: run.count,
    averageRunTime: run.average,
    shortestRunTime: run.shortest,
    longestRunTime: run.longest,
    deviationRunTime: run.deviation,
    averageSetupTime: setup.average,
    shortestSetupTime: setup.shortest,
    longestSetupTime: setup.longest,
    deviationSetupTime: setup.deviation,
    averageCleanupTime: cleanup.average,
    shortestCleanupTime: cleanup.shortest,
    longestCleanupTime: cleanup.longest,
    deviationCleanupTime: cleanup.deviation,
    runTimeSum: run.sum,
    runTimeSumOfSquares: run.sumOfSquares,
    setupTimeCount: setup.count,
    setupTimeSum: setup.sum,
    setupTimeSumOfSquares: setup.sumOfSquares,
    cleanupTimeCount: cleanup.count,
    cleanupTimeSum: cleanup.sum,
    cleanupTimeSumOfSquares: cleanup.sumOfSquares,
  };
}

export interface FigureDifference {
  readonly figure: FigureName;
  readonly stored: string | null;
  readonly recomputed: string | null;
}

/** The figures that are not equal in every digit; those of a missing row count as null. */
export function compareFigures(
  stored: Figures | undefined,
  recomputed: Figures,
): readonly FigureDifference[] {
  return namesOf(recomputed)
    .map((figure) => ({ figure, stored: stored?.[figure] ?? null, recomputed: recomputed[figure] }))
    .filter((pair) => !isSame(pair.stored, pair.recomputed));
}

function namesOf(figures: Figures): readonly FigureName[] {
  return Object.keys(figures).filter((name): name is FigureName => name in figures);
}

/** Sums have no fixed number of decimals: 0 and 0.000000 are the same. */
function isSame(stored: string | null, recomputed: string | null): boolean {
  if (stored === recomputed) return true;
  return stored !== null && recomputed !== null && new ExactDecimal(stored).eq(recomputed);
}
