import type { WorkerReport } from '@takt/monitoring';

export const OUTCOMES = ['applied', 'duplicate', 'stale', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Events a second. */
export type Rates = Readonly<Record<Outcome, number>>;

interface Remembered {
  readonly report: WorkerReport;
  /** Undefined until there are two reports of it. */
  readonly rates: Rates | undefined;
}

/** Takes the reports of all workers as they are read, and gives what happens a second over all of them. */
export function createRateMeter(): (reports: readonly WorkerReport[]) => Rates | undefined {
  let known = new Map<string, Remembered>();
  return (reports) => {
    const next = new Map<string, Remembered>();
    for (const report of reports) {
      const key = `${report.workerId} ${report.queue}`;
      next.set(key, remember(known.get(key), report));
    }
    known = next;
    const measured = [...next.values()].flatMap(({ rates }) => (rates === undefined ? [] : [rates]));
    // While only some of the workers have been seen twice, the sum would be too low.
    if (reports.length > 0 && measured.length === 0) return undefined;
    return {
      applied: sumOf(measured, 'applied'),
      duplicate: sumOf(measured, 'duplicate'),
      stale: sumOf(measured, 'stale'),
      rejected: sumOf(measured, 'rejected'),
    };
  };
}

function remember(before: Remembered | undefined, report: WorkerReport): Remembered {
  if (before === undefined) return { report, rates: undefined };
  const seconds = (report.seenAt.getTime() - before.report.seenAt.getTime()) / 1_000;
  if (seconds <= 0) return before;
  const rateOf = (outcome: Outcome) => Math.max(0, (report[outcome] - before.report[outcome]) / seconds);
  return {
    report,
    rates: {
      applied: rateOf('applied'),
      duplicate: rateOf('duplicate'),
      stale: rateOf('stale'),
      rejected: rateOf('rejected'),
    },
  };
}

function sumOf(rates: readonly Rates[], outcome: Outcome): number {
  return rates.reduce((sum, one) => sum + one[outcome], 0);
}
