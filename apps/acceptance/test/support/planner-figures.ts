import { toMicrohours } from '@takt/test-support';
import {
  type Completion,
  completionsOf,
  figuresOf,
  type MonthlyFigures,
  monthsOf,
} from './monthly-figures.js';
import type { ProductionLog, ProductionLogMasterData } from './read-production-log.js';

export const KINDS = ['run', 'setup', 'cleanup'] as const;
export type Kind = (typeof KINDS)[number];

/** The data of one structure version that a planner sees. Times are whole microhours, or null if there is no value. */
export interface PlannerRow {
  readonly identifier: number;
  readonly product: string;
  readonly name: string;
  /** Figures of all completions. `last` is the time of the newest completion. */
  readonly figures: MonthlyFigures;
  /** Figures by month, the newest month first. */
  readonly months: readonly PlannerMonth[];
  readonly times: Readonly<Record<Kind, PlannedAndActual>>;
  /** Sum of the hours over plan of all kinds of time with a plan. Null if no kind has a plan. */
  readonly hoursOverPlan: bigint | null;
}

interface PlannerMonth extends MonthlyFigures {
  readonly month: string;
  /** Difference between the times of the month and the current plan. */
  readonly hoursOverPlan: Readonly<Record<Kind, bigint | null>>;
}

interface PlannedAndActual {
  readonly planned: bigint | null;
  /** Hours over plan: the sum of the actual times, minus the planned time of each reported value. */
  readonly hoursOverPlan: bigint | null;
}

/** Computes the rows in whole microhours, only from the events of the log. */
export function plannerRowsOf(log: ProductionLog): readonly PlannerRow[] {
  const completions = completionsOf(log.events);
  const months = Object.entries(monthsOf(log));
  return masterDataOf(log).map(
    ({ productStructureVersionId: identifier, product, name, plannedProductionTimes }) => {
      const own = completions.filter(({ productStructureVersionId: of }) => of === identifier);
      const timesOf = (kind: Kind, of = own) =>
        compare(toMicrohours(plannedProductionTimes[`${kind}Time`]), of, `${kind}Time`);
      const hoursOverPlanIn = (month: string) => {
        const ofMonth = own.filter(({ completedAt }) =>
          new Date(completedAt).toISOString().startsWith(month),
        );
        const over = (kind: Kind) => timesOf(kind, ofMonth).hoursOverPlan;
        return { run: over('run'), setup: over('setup'), cleanup: over('cleanup') };
      };
      const times = { run: timesOf('run'), setup: timesOf('setup'), cleanup: timesOf('cleanup') };
      const over = KINDS.flatMap((kind) => times[kind].hoursOverPlan ?? []);
      return {
        ...{ identifier, product: product.name, name, times },
        figures: figuresOf(own),
        months: months
          .filter(([key]) => key.startsWith(`${identifier}/`))
          .map(([key, figures]) => {
            const month = key.split('/')[1] ?? '';
            return { ...figures, month, hoursOverPlan: hoursOverPlanIn(month) };
          })
          .sort((one, other) => (one.month < other.month ? 1 : -1)),
        hoursOverPlan: over.length === 0 ? null : over.reduce((sum, hours) => sum + hours),
      };
    },
  );
}

function masterDataOf({ events }: ProductionLog): readonly ProductionLogMasterData[] {
  return events.flatMap(({ data }) => ('product' in data ? [data as ProductionLogMasterData] : []));
}

function compare(
  planned: bigint | null,
  completions: readonly Completion[],
  time: `${Kind}Time`,
): PlannedAndActual {
  const reported = completions.flatMap((completion) => toMicrohours(completion[time]) ?? []);
  const sum = reported.reduce((total, value) => total + value, 0n);
  return { planned, hoursOverPlan: planned === null ? null : sum - BigInt(reported.length) * planned };
}

/**
 * Returns the rows with a value, ordered by this value. Rows with equal values are ordered by identifier, in the same
 * direction.
 */
export function inOrderOf(
  rows: readonly PlannerRow[],
  figureOf: (row: PlannerRow) => bigint | null,
  direction: 'asc' | 'desc',
): readonly PlannerRow[] {
  const sign = direction === 'asc' ? 1n : -1n;
  const valued = rows.flatMap((row) => {
    const value = figureOf(row);
    return value === null ? [] : { row, value };
  });
  const difference = (one: (typeof valued)[number], other: (typeof valued)[number]) =>
    one.value - other.value || BigInt(one.row.identifier - other.row.identifier);
  return valued.sort((one, other) => Number(sign * difference(one, other))).map(({ row }) => row);
}
