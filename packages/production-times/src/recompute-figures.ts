import { describeTimes } from './describe-times.js';
import type { Figures, ReportedTimes } from './figures.js';

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
