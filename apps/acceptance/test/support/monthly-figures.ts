import { exactFigures, toHours, toMicrohours } from '@takt/test-support';
import type pg from 'pg';
import type { ProductionLog } from './read-production-log.js';
import type { ServedFigures, ServedTimes } from './served-figures.js';

/** Figures of one month. `last` is the time of its last completion in UTC. */
export interface MonthlyFigures extends ServedFigures {
  readonly last: string;
}

const KINDS = ['run', 'setup', 'cleanup'] as const;

const TIMES = KINDS.map((kind) => {
  const sums = `${kind === 'run' ? 'number_of_completed_operations' : `${kind}_time_count`}, ${kind}_time_sum`;
  const figures = {
    average: `takt.average_microhours(${sums})`,
    shortest: `shortest_${kind}_time`,
    longest: `longest_${kind}_time`,
    deviation: `takt.population_deviation_microhours(${sums}, ${kind}_time_sum_of_squares)`,
  };
  const texts = Object.entries(figures).map(([name, value]) => `'${name}', (${value} * 0.000001)::text`);
  return `'${kind}', json_build_object(${texts.join(', ')})`;
});

/** Returns the stored figures of all months of a company. The keys have the form `structure version/2024-01`. */
export async function readMonthlyFigures(
  pool: pg.Pool,
  companyCode: string,
): Promise<Readonly<Record<string, MonthlyFigures>>> {
  const { rows } = await pool.query<{ key: string; figures: MonthlyFigures }>(
    `SELECT product_structure_version_id || to_char(month, '/YYYY-MM') AS key, json_build_object(
       'numberOfCompletedProductionWorkOrders', number_of_completed_operations, ${TIMES.join(', ')},
       'last', to_char(last_completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS figures
     FROM takt.monthly_figures JOIN takt.companies USING (company_id)
     WHERE code = $1 AND number_of_completed_operations > 0`,
    [companyCode],
  );
  return Object.fromEntries(rows.map(({ key, figures }) => [key, figures]));
}

/** The fields of a completed operation from which figures are computed. */
export interface Completion {
  readonly productStructureVersionId: number;
  readonly completedAt: string;
  readonly runTime: string;
  readonly setupTime?: string | null;
  readonly cleanupTime?: string | null;
}

export function completionsOf(events: ProductionLog['events']): readonly Completion[] {
  return events.flatMap(({ type, data }) =>
    type === 'work-order-operation.completed.v1' ? [data as unknown as Completion] : [],
  );
}

/** Computes the same figures from the events of a log. In the log every event belongs to another operation. */
export function monthsOf({ events }: ProductionLog): Readonly<Record<string, MonthlyFigures>> {
  const groups = new Map<string, Completion[]>();
  for (const completion of completionsOf(events)) {
    const month = new Date(completion.completedAt).toISOString().slice(0, 7);
    const key = `${completion.productStructureVersionId}/${month}`;
    groups.set(key, [...(groups.get(key) ?? []), completion]);
  }
  return Object.fromEntries([...groups].map(([key, completions]) => [key, figuresOf(completions)]));
}

/** Computes the figures of one structure version from at least one completion. */
export function figuresOf(completions: readonly Completion[]): MonthlyFigures {
  const instants = completions.map(({ completedAt }) => new Date(completedAt).toISOString());
  return {
    numberOfCompletedProductionWorkOrders: completions.length,
    run: describeTimes(completions.map(({ runTime }) => runTime)),
    setup: describeTimes(completions.map(({ setupTime }) => setupTime)),
    cleanup: describeTimes(completions.map(({ cleanupTime }) => cleanupTime)),
    last: instants.sort().at(-1) ?? '',
  };
}

function describeTimes(hours: readonly (string | null | undefined)[]): ServedTimes {
  const figures = exactFigures(hours.flatMap((one) => toMicrohours(one) ?? []));
  if (figures === undefined) return { average: null, shortest: null, longest: null, deviation: null };
  const { average, shortest, longest, deviation } = figures;
  return {
    ...{ average: toHours(average), shortest: toHours(shortest) },
    ...{ longest: toHours(longest), deviation: toHours(deviation) },
  };
}
