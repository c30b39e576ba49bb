import { roundHalfUp } from '@takt/test-support';
import fc from 'fast-check';
import type pg from 'pg';
import { anyTime, type Completion, describeTimes, STRUCTURE_VERSIONS } from './histories.js';
import { intervalOf, verdictOf } from './student-t.js';

export const KINDS = ['run', 'setup', 'cleanup'] as const;
type Kind = (typeof KINDS)[number];

/** The planned hours of one operation for each kind of time; null if the time has no plan. */
export type Plan = Readonly<Record<Kind, string | null>>;

/**
 * The plan and the product that a structure version has from a minute on. The change with the newest minute counts, in
 * any order of arrival.
 */
export interface PlanChange extends Plan {
  readonly version: number;
  readonly product: number;
  readonly minute: number;
}

const PRODUCTS = 2;

const hours = fc.option(fc.oneof(anyTime, fc.constantFrom('0.000000', '0.000001', '0.020000')), { freq: 3 });

export const anyPlanChange: fc.Arbitrary<PlanChange> = fc.record({
  version: fc.integer({ min: 1, max: STRUCTURE_VERSIONS }),
  product: fc.integer({ min: 1, max: PRODUCTS }),
  minute: fc.integer({ min: 0, max: 9 }),
  run: hours,
  setup: hours,
  cleanup: hours,
});

/**
 * The values of a comparison in one list. For each kind of time, it contains the difference, the percentage, the hours
 * over plan, the two bounds of the mean, and the verdict. At the end it contains the hours over plan of all kinds. The
 * values have the units in which they are stored. A value that does not exist is null.
 */
export type Comparison = readonly (bigint | string | null)[];

const COLUMNS = [
  ...KINDS.flatMap((kind) => {
    const count = kind === 'run' ? 'number_of_completed_operations' : `${kind}_time_count`;
    const sums = `${count}, ${kind}_time_sum, ${kind}_time_sum_of_squares`;
    return [
      ...['difference', 'over_plan_percent', 'hours_over_plan'].map((figure) => `${kind}_time_${figure}`),
      ...[-1, 1].map((side) => `takt.mean_bound(${sums}, ${side})`),
      `takt.verdict_of_mean(${sums}, deviation_${kind}_time, ${kind}_time_hours_over_plan, ${kind}_time)`,
    ];
  }),
  'hours_over_plan',
];

const isNumber = (text: string) => /^-?\d+$/.test(text);

/** Reads the comparisons of a company, for the structure versions whose ids are in the range. */
export async function readComparisons(
  pool: pg.Pool,
  database: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<Map<number, Comparison>> {
  const { rows } = await pool.query<[string, ...(string | null)[]]>({
    text: `SELECT product_structure_version_id, ${COLUMNS.join(', ')}
      FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
      WHERE code = $1 AND product_structure_version_id BETWEEN $2 AND $3`,
    values: [database, first, last],
    rowMode: 'array',
  });
  return new Map(
    rows.map(([id, ...figures]) => [
      Number(id),
      figures.map((one) => (one !== null && isNumber(one) ? BigInt(one) : one)),
    ]),
  );
}

/**
 * Computes the comparison of a structure version from its completions and its plan. Uses only the definition and whole
 * numbers.
 */
export function compare(completions: readonly Completion[], plan: Plan | undefined): Comparison {
  const perKind = KINDS.map((kind) => {
    const times = completions.map((completion) => completion[kind]).filter((time) => time !== null);
    const planned = plan?.[kind] ?? null;
    const bounds = intervalOf(times)?.map((bound) => BigInt(bound.times(1e6).toFixed(0))) ?? [null, null];
    return [...compareKind(times, planned), ...bounds, verdictOf(times, planned)];
  });
  const over = perKind.map(([, , hoursOverPlan]) => hoursOverPlan).filter((one) => typeof one === 'bigint');
  const total = over.length === 0 ? null : over.reduce((one, other) => one + other, 0n);
  return [...perKind.flat(), total];
}

function compareKind(times: readonly string[], plannedHours: string | null): readonly (bigint | null)[] {
  if (plannedHours === null) return [null, null, null];
  const planned = microhours(plannedHours);
  const over = times.reduce((sum, time) => sum + microhours(time) - planned, 0n);
  const [average] = describeTimes(times);
  if (average === null) return [null, null, over];
  const difference = microhours(average) - planned;
  const plannedInAll = planned * BigInt(times.length);
  return [difference, planned === 0n ? null : hundredthsOfPercent(over, plannedInAll), over];
}

/** Returns the exact quotient in hundredths of a percent, rounded half away from zero. */
function hundredthsOfPercent(over: bigint, planned: bigint): bigint {
  const size = over < 0n ? -over : over;
  const rounded = roundHalfUp((twice) => twice * planned <= 20_000n * size);
  return over < 0n ? -rounded : rounded;
}

/**
 * The sums of a product: the number of structure versions and of operations, the planned hours, actual hours and hours
 * over plan in microhours, and the percentage.
 */
export type ProductSums = readonly (bigint | null)[];

const SUMS = [
  'structure_versions',
  'operations',
  'planned',
  'actual',
  'hours_over_plan',
  'over_plan_percent',
];

/** Reads the sums of a company, for the products whose ids are in the range. */
export async function readProductSums(
  pool: pg.Pool,
  database: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<Map<number, ProductSums>> {
  const { rows } = await pool.query<[string, ...(string | null)[]]>({
    text: `SELECT product_id, ${SUMS.join(', ')}
      FROM takt.product_production_times() JOIN takt.companies USING (company_id)
      WHERE code = $1 AND product_id BETWEEN $2 AND $3`,
    values: [database, first, last],
    rowMode: 'array',
  });
  return new Map(
    rows.map(([id, ...sums]) => [Number(id), sums.map((one) => (one === null ? null : BigInt(one)))]),
  );
}

/**
 * Computes the sums of a product by their definition, from all completions and the newest plan of each structure
 * version.
 */
export function sumProduct(completions: readonly Completion[], plans: readonly PlanChange[]): ProductSums {
  let [operations, planned, actual] = [0n, 0n, 0n];
  for (const plan of plans) {
    const own = completions.filter(({ version }) => version === plan.version);
    operations += BigInt(own.length);
    for (const kind of KINDS) {
      const hours = plan[kind];
      if (hours === null) continue;
      for (const time of own.flatMap((completion) => completion[kind] ?? [])) {
        planned += microhours(hours);
        actual += microhours(time);
      }
    }
  }
  const counts = [BigInt(plans.length), operations];
  const hasPlan = plans.some((plan) => KINDS.some((kind) => plan[kind] !== null));
  if (!hasPlan) return [...counts, null, null, null, null];
  const over = actual - planned;
  return [...counts, planned, actual, over, planned === 0n ? null : hundredthsOfPercent(over, planned)];
}

const microhours = (time: string): bigint => BigInt(time.replace('.', ''));
