import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

/*
 * The tables and columns that drizzle uses to build queries. All tables, checks, indexes, foreign keys and grants are
 * defined in the migrations; migrations/schema.sql shows the resulting schema.
 */

const takt = pgSchema('takt');

/** Identifier, revision or count. The event contract limits them to 2^53-1, so a JavaScript number is exact. */
const wholeNumber = (name: string) => bigint(name, { mode: 'number' });

/** Any bigint, for which a JavaScript number is not exact. */
const longNumber = (name: string) => bigint(name, { mode: 'bigint' });

/** An instant as PostgreSQL's text, in UTC. A Date would drop the microseconds that decide which change is newest. */
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });

/** A time in whole microhours, at most 10^13, so a JavaScript number is exact. */
const microhours = wholeNumber;

/** An exact sum of hours (6 decimals) or of squares of hours (12 decimals), as text. */
const exactSum = (name: string) => numeric(name).notNull().default('0');

export const companies = takt.table('companies', {
  companyId: integer('company_id').primaryKey().generatedAlwaysAsIdentity(),
  /** The company's code in events and $db, e.g. TEM-NO. */
  code: text('code').notNull(),
  name: text('name').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** True for a company that takt start created for its demo data. */
  isDemo: boolean('is_demo').notNull().default(false),
  timeZone: text('time_zone').notNull().default('UTC'),
  disabledAt: instant('disabled_at'),
  /** A secret. A session of the API that has set it sees the rows of the company. */
  accessKey: uuid('access_key').notNull().defaultRandom(),
});

/** Figures of one kind of time. `count`: the column with the number of operations that reported the time. */
function figuresOf(time: 'run' | 'setup' | 'cleanup', count: string) {
  const values = sql.raw(`${count}, ${time}_time_sum`);
  return {
    count: wholeNumber(count).notNull().default(0),
    /** Hours. */
    sum: exactSum(`${time}_time_sum`),
    /** Square hours. */
    sumOfSquares: exactSum(`${time}_time_sum_of_squares`),
    /** Microhours. This column and the next three are null if no operation reported the time. */
    average: microhours(`average_${time}_time`).generatedAlwaysAs(sql`takt.average_microhours(${values})`),
    shortest: microhours(`shortest_${time}_time`),
    longest: microhours(`longest_${time}_time`),
    /** Population standard deviation. */
    deviation: microhours(`deviation_${time}_time`).generatedAlwaysAs(
      sql`takt.population_deviation_microhours(${values}, ${sql.raw(`${time}_time_sum_of_squares`)})`,
    ),
  };
}

/** Each operation has a run time, so the number of operations is also the count of run times. */
const run = figuresOf('run', 'number_of_completed_operations');
const setup = figuresOf('setup', 'setup_time_count');
const cleanup = figuresOf('cleanup', 'cleanup_time_count');

/** Comparison of one kind of time with its plan; null without a plan. */
function comparisonOf(time: 'run' | 'setup' | 'cleanup', count: string) {
  const sums = sql.raw(`${count}, ${time}_time_sum`);
  const average = sql`takt.average_microhours(${sums})`;
  const planned = sql.raw(`${time}_time`);
  const overPlan = sql`takt.microhours_over_plan(${sums}, ${planned})`;
  return {
    overPlan,
    /** Microhours: average minus plan; null also if there is no average. */
    difference: longNumber(`${time}_time_difference`).generatedAlwaysAs(sql`(${average} - ${planned})`),
    /** Hundredths of a percent; null also if there is no average, or if the plan is 0. */
    percent: longNumber(`${time}_time_over_plan_percent`).generatedAlwaysAs(
      sql`takt.percent_over_plan(${sums}, ${planned})`,
    ),
    /** Microhours: the sum of actual times minus count times plan. */
    hours: longNumber(`${time}_time_hours_over_plan`).generatedAlwaysAs(
      sql`takt.bounded_microhours(${overPlan})`,
    ),
  };
}

const runComparison = comparisonOf('run', 'number_of_completed_operations');
const setupComparison = comparisonOf('setup', 'setup_time_count');
const cleanupComparison = comparisonOf('cleanup', 'cleanup_time_count');

/**
 * Master data, planned times and figures of a product structure version. Figures may arrive before the master data. The
 * row is listed once changedAt is set, which happens together with the master data.
 */
export const productStructureVersions = takt.table(
  'product_structure_versions',
  {
    companyId: integer('company_id').notNull(),
    productStructureVersionId: wholeNumber('product_structure_version_id').notNull(),

    /** Time of the newest product-structure-version.changed.v1 that was applied; null: not listed yet. */
    changedAt: instant('changed_at'),
    status: integer('status'),
    name: text('name'),
    version: integer('version'),
    revision: text('revision'),
    productId: wholeNumber('product_id'),
    /** Copy of products.name. */
    productName: text('product_name'),
    /** Planned microhours. */
    runTime: microhours('run_time'),
    /** Planned microhours. */
    setupTime: microhours('setup_time'),
    /** Planned microhours. */
    cleanupTime: microhours('cleanup_time'),

    numberOfCompletedOperations: run.count,
    runTimeSum: run.sum,
    runTimeSumOfSquares: run.sumOfSquares,
    averageRunTime: run.average,
    shortestRunTime: run.shortest,
    longestRunTime: run.longest,
    deviationRunTime: run.deviation,

    setupTimeCount: setup.count,
    setupTimeSum: setup.sum,
    setupTimeSumOfSquares: setup.sumOfSquares,
    averageSetupTime: setup.average,
    shortestSetupTime: setup.shortest,
    longestSetupTime: setup.longest,
    deviationSetupTime: setup.deviation,

    cleanupTimeCount: cleanup.count,
    cleanupTimeSum: cleanup.sum,
    cleanupTimeSumOfSquares: cleanup.sumOfSquares,
    averageCleanupTime: cleanup.average,
    shortestCleanupTime: cleanup.shortest,
    longestCleanupTime: cleanup.longest,
    deviationCleanupTime: cleanup.deviation,

    runTimeDifference: runComparison.difference,
    runTimeOverPlanPercent: runComparison.percent,
    runTimeHoursOverPlan: runComparison.hours,
    setupTimeDifference: setupComparison.difference,
    setupTimeOverPlanPercent: setupComparison.percent,
    setupTimeHoursOverPlan: setupComparison.hours,
    cleanupTimeDifference: cleanupComparison.difference,
    cleanupTimeOverPlanPercent: cleanupComparison.percent,
    cleanupTimeHoursOverPlan: cleanupComparison.hours,
    /** Microhours: the sum of the three columns above; missing ones are left out. */
    hoursOverPlan: longNumber('hours_over_plan').generatedAlwaysAs(
      sql`takt.bounded_microhours(takt.sum_of_known(${runComparison.overPlan}, ${setupComparison.overPlan}, ${cleanupComparison.overPlan}))`,
    ),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.productStructureVersionId] })],
);

export const products = takt.table(
  'products',
  {
    companyId: integer('company_id').notNull(),
    productId: wholeNumber('product_id').notNull(),
    status: integer('status').notNull(),
    name: text('name').notNull(),
    type: text('type').notNull(),
    description: text('description').notNull(),
    /** Time of the newest product-structure-version.changed.v1 that contains this product. */
    changedAt: instant('changed_at').notNull(),
    /** The name for comparisons that ignore case. */
    foldedName: text('folded_name').generatedAlwaysAs(sql`casefold(name)`),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.productId] })],
);

/**
 * Number of listed rows per company, maintained by takt.note_changes. A company without a row here has no listed rows.
 */
export const listSizes = takt.table('list_sizes', {
  companyId: integer('company_id').primaryKey(),
  productStructureVersions: wholeNumber('product_structure_versions').notNull(),
});

/** Addresses that people have saved as views. */
export const savedViews = takt.table(
  'saved_views',
  {
    companyId: integer('company_id').notNull(),
    savedViewId: wholeNumber('saved_view_id')
      .notNull()
      .default(sql`nextval('takt.saved_views_saved_view_id_seq'::regclass)`),
    pid: integer('pid').notNull(),
    name: text('name').notNull(),
    path: text('path').notNull(),
    query: text('query').notNull(),
    isShared: boolean('is_shared').notNull(),
    savedAt: instant('saved_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.savedViewId] })],
);

/**
 * Figures of a structure version in one month. Average and deviation are not stored: takt's functions compute them at
 * reading.
 */
export const monthlyFigures = takt.table(
  'monthly_figures',
  {
    companyId: integer('company_id').notNull(),
    productStructureVersionId: wholeNumber('product_structure_version_id').notNull(),
    /**
     * The first day of the month in which the operations were completed, in the time zone of the structure version's
     * months.
     */
    month: date('month').notNull(),
    /** 0 if all of the month's operations were moved or reopened. */
    numberOfCompletedOperations: run.count,
    runTimeSum: run.sum,
    runTimeSumOfSquares: run.sumOfSquares,
    shortestRunTime: run.shortest,
    longestRunTime: run.longest,
    setupTimeCount: setup.count,
    setupTimeSum: setup.sum,
    setupTimeSumOfSquares: setup.sumOfSquares,
    shortestSetupTime: setup.shortest,
    longestSetupTime: setup.longest,
    cleanupTimeCount: cleanup.count,
    cleanupTimeSum: cleanup.sum,
    cleanupTimeSumOfSquares: cleanup.sumOfSquares,
    shortestCleanupTime: cleanup.shortest,
    longestCleanupTime: cleanup.longest,
    lastCompletedAt: instant('last_completed_at'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.productStructureVersionId, table.month] })],
);

/** The ledger: the newest revision of each operation, until the operation is pruned. */
export const workOrderOperations = takt.table(
  'work_order_operations',
  {
    companyId: integer('company_id').notNull(),
    workOrderOperationId: wholeNumber('work_order_operation_id').notNull(),
    revision: wholeNumber('revision').notNull(),
    /** Null if the operation was reopened. */
    productStructureVersionId: wholeNumber('product_structure_version_id'),
    workOrderId: wholeNumber('work_order_id'),
    /** Time of completion or reopening. */
    changedAt: instant('changed_at').notNull(),
    /** Hours, like the next two columns; null if not reported. */
    runTime: numeric('run_time', { precision: 13, scale: 6 }),
    setupTime: numeric('setup_time', { precision: 13, scale: 6 }),
    cleanupTime: numeric('cleanup_time', { precision: 13, scale: 6 }),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.workOrderOperationId] })],
);

export const applicationVersions = takt.table(
  'application_versions',
  {
    companyId: integer('company_id').notNull(),
    applicationVersionId: wholeNumber('application_version_id').notNull(),
    applicationId: wholeNumber('application_id').notNull(),
    /** Time of the newest application-version.changed.v1 that was applied. */
    changedAt: instant('changed_at').notNull(),
    status: integer('status'),
    type: text('type').notNull(),
    name: text('name').notNull(),
    descriptiveName: text('descriptive_name'),
    description: text('description'),
    namespace: text('namespace'),
    masterUrl: text('master_url'),
    lookupKey: text('lookup_key'),
    lookupPriority: integer('lookup_priority'),
    contentType: text('content_type'),
    changeDescription: text('change_description'),
    createdAt: instant('created_at'),
    createdByUserId: wholeNumber('created_by_user_id'),
    createdByFirstName: text('created_by_first_name'),
    createdByName: text('created_by_name'),
    restrictedToCompanyId: wholeNumber('restricted_to_company_id'),
    restrictedToDatabase: text('restricted_to_database'),
    permissionId: wholeNumber('permission_id'),
    permissionName: text('permission_name'),
    scope: text('scope'),
    isChanged: boolean('is_changed'),
    changedByUserId: wholeNumber('changed_by_user_id'),
    changedByFirstName: text('changed_by_first_name'),
    changedByName: text('changed_by_name'),
    isPendingDeployment: boolean('is_pending_deployment'),
    /** CustomFieldOrder.FieldOrder: JSON as it was sent; this program never parses it. */
    fieldOrder: text('field_order'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.applicationVersionId] })],
);

export const errorMessages = takt.table('error_messages', {
  errorMessageId: integer('error_message_id').primaryKey(),
  status: text('status').notNull(),
  namespace: text('namespace').notNull(),
  httpStatusCode: integer('http_status_code').notNull(),
  /** The English text, with {0}, {1}, ... for the parameters. */
  message: text('message').notNull(),
  availableTranslations: text('available_translations').notNull(),
  createdBy: wholeNumber('created_by').notNull(),
  technicalDescription: text('technical_description').notNull(),
  /** Translations of the message, by three-letter language. */
  translations: jsonb('translations').$type<Readonly<Record<string, string>>>().notNull(),
});

/** Descriptions of the values of status, type and scope fields. */
export const domainValues = takt.table(
  'domain_values',
  {
    object: text('object').notNull(),
    field: text('field').notNull(),
    key: text('key').notNull(),
    description: text('description').notNull(),
    /** Translations of the description, by three-letter language, e.g. {"nob": "ny"}. */
    translations: jsonb('translations').$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** Order of the values in a list, from 1. */
    priority: integer('priority').notNull(),
  },
  (table) => [primaryKey({ columns: [table.object, table.field, table.key] })],
);
