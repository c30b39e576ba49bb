import type pg from 'pg';
import { inOneSnapshot } from './audit-production-times.js';
import type { VersionName } from './object-names.js';
import { fetchPages, readCompanies } from './read-pages.js';

export type TimeKind = 'run' | 'setup' | 'cleanup';

export interface SuggestionOptions {
  readonly database: string;
  /** Minimum number of operations for which a time was reported. */
  readonly minOperations: number;
  /** Minimum difference between the planned time and the average, in percent of the plan. */
  readonly threshold: number;
  /** If true, plans within the 95 % confidence interval of the average are included. Default false. */
  readonly includeUnsure?: boolean;
  /** The number of suggestions, of those that change most hours per year. Default: all. */
  readonly top?: number | undefined;
}

/**
 * Says if the average is certainly over or under its plan, or if this is unsure (migrations/functions/confidence.sql).
 */
export type Verdict = 'over' | 'under' | 'unsure';

/** A suggestion for a planned time that differs from the actual times. Times are hours with at most 6 decimals. */
export interface PlanSuggestion extends VersionName {
  readonly name: string;
  readonly version: number;
  readonly revision: string;
  readonly productId: number;
  readonly productKey: string | null;
  readonly productName: string;
  readonly kind: TimeKind;
  readonly plannedTime: number;
  /** The average of the actual times. */
  readonly suggestedTime: number;
  /** The suggested time minus the planned time. */
  readonly timeDifference: number;
  /** Difference in percent of the plan, with 2 decimals; null if the plan is 0. */
  readonly overPlanPercent: number | null;
  /** Number of operations for which the time was reported. */
  readonly numberOfOperations: number;
  /** Bounds of the 95 % confidence interval of the average. */
  readonly meanLow: number;
  readonly meanHigh: number;
  readonly verdict: Verdict;
  /**
   * By how much the planned hours would change for the operations of the last twelve months of the structure version.
   */
  readonly hoursAYear: number;
}

/**
 * Reads the suggestions for a company in pages. The suggestions with the most hours per year come first.
 * migrations/functions/plan_suggestions.sql describes how suggestions are found. Rejects if the company is not
 * registered.
 * @param take called with each page in turn; all pages come from one snapshot
 */
export async function suggestPlans(
  pool: pg.Pool,
  options: SuggestionOptions,
  take: (page: readonly PlanSuggestion[]) => Promise<void>,
): Promise<void> {
  await readSuggestions<SuggestionRow>(pool, options, SUGGESTIONS, (rows) => take(rows.map(toSuggestion)));
}

/**
 * Counts the suggestions that were left out because the difference is uncertain. Rejects if the company is not
 * registered.
 */
export async function countUnsureSuggestions(pool: pg.Pool, options: SuggestionOptions): Promise<number> {
  let count = 0;
  await readSuggestions<{ count: string }>(pool, options, UNSURE, async ([row]) => {
    count = Number(row?.count ?? 0);
  });
  return count;
}

/**
 * The data of a product-structure-version.changed.v1 event that keeps the present master data and has new planned
 * times.
 */
export interface PlanChange {
  readonly database: string;
  /** A time one microsecond after the latest known change. */
  readonly changedAt: string;
  /** Either the number or the key is given. The same applies to the product. */
  readonly productStructureVersionId?: number;
  readonly productStructureVersionKey?: string;
  readonly status: number;
  readonly name: string;
  readonly version: number;
  readonly revision: string;
  readonly product: {
    readonly productId?: number;
    readonly productKey?: string;
    readonly status: number;
    readonly name: string;
    readonly type: string;
    readonly description: string;
  };
  /** The planned hours. A time without a suggestion keeps its plan. */
  readonly plannedProductionTimes: Readonly<Record<`${TimeKind}Time`, number | null>>;
}

/** Reads the suggestions as changes, with one change for each structure version, in arbitrary order. */
export async function readPlanChanges(
  pool: pg.Pool,
  options: SuggestionOptions,
  take: (page: readonly PlanChange[]) => Promise<void>,
): Promise<void> {
  await readSuggestions<ChangeRow>(pool, options, CHANGES, (rows) =>
    take(rows.map(({ change, ...times }) => toChange(options.database, change, times))),
  );
}

/** SQL condition: true for a suggestion that has the minimum number of operations and exceeds the threshold. */
const WORTH =
  'company_id = $1 AND operations >= $2 AND takt.differs_from_plan(hours_over_plan, operations, planned, $3)';
const ASKED = `${WORTH} AND (verdict <> 'unsure' OR $4::boolean)`;

const UNSURE = `
  SELECT count(*) FILTER (WHERE verdict = 'unsure' AND NOT $4::boolean) AS count
  FROM takt.plan_suggestions WHERE ${WORTH}`;

/**
 * SQL for the suggestions. Without OFFSET 0, ORDER BY would compute the hours per year, which come from the months,
 * twice per row.
 */
const SUGGESTIONS = `
  SELECT * FROM (
    SELECT product_structure_version_id AS "productStructureVersionId",
      product_structure_version_key AS "productStructureVersionKey", name, version, revision,
      product_id AS "productId", product_key AS "productKey", product_name AS "productName", kind, planned, suggested,
      over_plan_percent AS "overPlanPercent", operations, mean_low AS "meanLow", mean_high AS "meanHigh", verdict,
      hours_a_year AS "hoursAYear"
    FROM takt.plan_suggestions
    WHERE ${ASKED}
    OFFSET 0
  ) AS suggestion
  ORDER BY abs("hoursAYear") DESC, "productStructureVersionId", kind LIMIT $5`;

/**
 * SQL for the changes. changedAt is one microsecond after the latest known change. So any later change is newer and
 * wins, even a change that is still on its way. If the present time were used, such a change would be stale on arrival
 * and would be lost.
 */
const CHANGES = `
  SELECT coalesce(new_plan.run, listed.run_time) AS run, coalesce(new_plan.setup, listed.setup_time) AS setup,
    coalesce(new_plan.cleanup, listed.cleanup_time) AS cleanup,
    json_strip_nulls(json_build_object(
      'changedAt', to_char((listed.changed_at + interval '1 microsecond') AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      'productStructureVersionId',
        CASE WHEN listed.product_structure_version_key IS NULL THEN listed.product_structure_version_id END,
      'productStructureVersionKey', listed.product_structure_version_key, 'status', listed.status,
      'name', listed.name, 'version', listed.version, 'revision', listed.revision,
      'product', json_build_object(
        'productId', CASE WHEN product.product_key IS NULL THEN product.product_id END,
        'productKey', product.product_key, 'status', product.status, 'name', product.name, 'type', product.type,
        'description', product.description))) AS change
  FROM (
    SELECT company_id, product_structure_version_id, max(suggested) FILTER (WHERE kind = 'run') AS run,
      max(suggested) FILTER (WHERE kind = 'setup') AS setup, max(suggested) FILTER (WHERE kind = 'cleanup') AS cleanup
    FROM (
      SELECT * FROM takt.plan_suggestions WHERE ${ASKED}
      ORDER BY CASE WHEN $5::bigint IS NOT NULL THEN abs(hours_a_year) END DESC, product_structure_version_id, kind LIMIT $5
    ) AS suggestion
    GROUP BY company_id, product_structure_version_id
  ) AS new_plan
  JOIN takt.product_structure_versions AS listed USING (company_id, product_structure_version_id)
  JOIN takt.products AS product USING (company_id, product_id)`;

async function readSuggestions<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { database, minOperations, threshold, includeUnsure = false, top }: SuggestionOptions,
  text: string,
  take: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  await inOneSnapshot(pool, async (connection) => {
    for (const { companyId } of await readCompanies(connection, database)) {
      const limits = text === UNSURE ? [] : [top ?? null];
      const values = [companyId, minOperations, threshold, includeUnsure, ...limits];
      for await (const rows of fetchPages<Row>(connection, { cursorName: 'suggested_plans', text, values })) {
        await take(rows);
      }
    }
  });
}

/** A row as PostgreSQL returns it: bigint is text, and times are in microhours. */
interface SuggestionRow
  extends Pick<
    PlanSuggestion,
    | ('name' | 'version' | 'revision' | 'productName' | 'kind' | 'verdict')
    | ('productStructureVersionKey' | 'productKey')
  > {
  readonly productStructureVersionId: string;
  readonly productId: string;
  readonly planned: string;
  readonly suggested: string;
  readonly overPlanPercent: string | null;
  readonly operations: string;
  readonly meanLow: string;
  readonly meanHigh: string;
  readonly hoursAYear: string;
}

function toSuggestion(row: SuggestionRow): PlanSuggestion {
  const { name, version, revision, productName, kind, planned, suggested, overPlanPercent } = row;
  return {
    productStructureVersionId: Number(row.productStructureVersionId),
    productStructureVersionKey: row.productStructureVersionKey,
    name,
    version,
    revision,
    productId: Number(row.productId),
    productKey: row.productKey,
    productName,
    kind,
    plannedTime: hoursOf(planned),
    suggestedTime: hoursOf(suggested),
    timeDifference: hoursOf(Number(suggested) - Number(planned)),
    overPlanPercent: overPlanPercent === null ? null : Number(overPlanPercent) / 100,
    numberOfOperations: Number(row.operations),
    meanLow: hoursOf(row.meanLow),
    meanHigh: hoursOf(row.meanHigh),
    verdict: row.verdict,
    hoursAYear: hoursOf(row.hoursAYear),
  };
}

type PlannedMicrohours = Readonly<Record<TimeKind, string | null>>;

interface ChangeRow extends PlannedMicrohours {
  readonly change: Omit<PlanChange, 'database' | 'plannedProductionTimes'>;
}

function toChange(
  database: string,
  change: ChangeRow['change'],
  { run, setup, cleanup }: PlannedMicrohours,
): PlanChange {
  const hours = (microhours: string | null) => (microhours === null ? null : hoursOf(microhours));
  return {
    database,
    ...change,
    plannedProductionTimes: { runTime: hours(run), setupTime: hours(setup), cleanupTime: hours(cleanup) },
  };
}

/** Converts microhours to hours. Two exact numbers are divided and rounded once, so the result equals the decimal. */
function hoursOf(microhours: string | number): number {
  return Number(microhours) / 1e6;
}
