import { timeUnits } from '@takt/texts';
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
 * Drizzle builds queries with these tables and columns. This file defines nothing in the database: all tables, checks,
 * indexes, foreign keys and grants are defined in the migrations.
 */

const takt = pgSchema('takt');

/**
 * A column for an identifier, a revision or a count. The event contract limits these numbers to 2^53-1, so a JavaScript
 * number represents them exactly.
 */
const wholeNumber = (name: string) => bigint(name, { mode: 'number' });

/** A column for any bigint. A JavaScript number would not represent all of its values exactly. */
const longNumber = (name: string) => bigint(name, { mode: 'bigint' });

/**
 * A column for an instant, read as PostgreSQL's text in UTC. A Date would lose the microseconds, which may decide which
 * of two changes is newer.
 */
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });

/** A column for a time in whole microhours. The time is at most 10^13, so a JavaScript number represents it exactly. */
const microhours = wholeNumber;

/** A column for an exact sum of hours (6 decimals) or of squared hours (12 decimals), read as text. */
const exactSum = (name: string) => numeric(name).notNull().default('0');

export const companies = takt.table('companies', {
  companyId: integer('company_id').primaryKey().generatedAlwaysAsIdentity(),
  /** The code of the company, which events and the parameter $db contain, e.g. TEM-NO. */
  code: text('code').notNull(),
  name: text('name').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** True for a company that the command `takt start` has created for its demo data. */
  isDemo: boolean('is_demo').notNull().default(false),
  timeZone: text('time_zone').notNull().default('UTC'),
  timeUnit: text('time_unit', { enum: timeUnits }).notNull().default('h'),
  disabledAt: instant('disabled_at'),
  /** A secret of the company. When a session of the API sets this key, it can see the rows of the company. */
  accessKey: uuid('access_key').notNull().defaultRandom(),
});

/**
 * The columns with the figures of one kind of time. `count` is the name of the column with the number of operations
 * that reported this time.
 */
function figuresOf(time: 'run' | 'setup' | 'cleanup', count: string) {
  const values = sql.raw(`${count}, ${time}_time_sum`);
  return {
    count: wholeNumber(count).notNull().default(0),
    /** The sum of the reported times, in hours. */
    sum: exactSum(`${time}_time_sum`),
    /** The sum of the squared times, in square hours. */
    sumOfSquares: exactSum(`${time}_time_sum_of_squares`),
    /**
     * The average in microhours. This column and the next three are in microhours, and null if no operation reported
     * the time.
     */
    average: microhours(`average_${time}_time`).generatedAlwaysAs(sql`takt.average_microhours(${values})`),
    shortest: microhours(`shortest_${time}_time`),
    longest: microhours(`longest_${time}_time`),
    /** The population standard deviation. */
    deviation: microhours(`deviation_${time}_time`).generatedAlwaysAs(
      sql`takt.population_deviation_microhours(${values}, ${sql.raw(`${time}_time_sum_of_squares`)})`,
    ),
  };
}

/** Every operation has a run time. So the number of operations is also the number of reported run times. */
const run = figuresOf('run', 'number_of_completed_operations');
const setup = figuresOf('setup', 'setup_time_count');
const cleanup = figuresOf('cleanup', 'cleanup_time_count');

/** The columns that compare one kind of time with its plan. They are null if there is no plan. */
function comparisonOf(time: 'run' | 'setup' | 'cleanup', count: string) {
  const sums = sql.raw(`${count}, ${time}_time_sum`);
  const average = sql`takt.average_microhours(${sums})`;
  const planned = sql.raw(`${time}_time`);
  const overPlan = sql`takt.microhours_over_plan(${sums}, ${planned})`;
  return {
    overPlan,
    /** The average minus the plan, in microhours; null also if there is no average. */
    difference: longNumber(`${time}_time_difference`).generatedAlwaysAs(sql`(${average} - ${planned})`),
    /**
     * The difference from the plan in hundredths of a percent; null also if there is no average, or if the plan is 0.
     */
    percent: longNumber(`${time}_time_over_plan_percent`).generatedAlwaysAs(
      sql`takt.percent_over_plan(${sums}, ${planned})`,
    ),
    /**
     * The hours over plan, in microhours: the sum of the actual times minus the plan times the number of operations.
     */
    hours: longNumber(`${time}_time_hours_over_plan`).generatedAlwaysAs(
      sql`takt.bounded_microhours(${overPlan})`,
    ),
  };
}

const runComparison = comparisonOf('run', 'number_of_completed_operations');
const setupComparison = comparisonOf('setup', 'setup_time_count');
const cleanupComparison = comparisonOf('cleanup', 'cleanup_time_count');

/**
 * A row contains the master data, the planned times and the figures of a product structure version. The figures may
 * arrive before the master data. The row appears in lists only when changedAt is set, which happens when the master
 * data arrive.
 */
export const productStructureVersions = takt.table(
  'product_structure_versions',
  {
    companyId: integer('company_id').notNull(),
    productStructureVersionId: wholeNumber('product_structure_version_id').notNull(),

    /**
     * The time in the newest product-structure-version.changed.v1 that was applied; null if the row does not appear in
     * lists.
     */
    changedAt: instant('changed_at'),
    status: integer('status'),
    name: text('name'),
    version: integer('version'),
    revision: text('revision'),
    productId: wholeNumber('product_id'),
    /** A copy of products.name. */
    productName: text('product_name'),
    /** The planned run time in microhours. */
    runTime: microhours('run_time'),
    /** The planned setup time in microhours. */
    setupTime: microhours('setup_time'),
    /** The planned cleanup time in microhours. */
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
    /** The sum of the three kinds of hours over plan above, in microhours. A kind without a plan is left out. */
    hoursOverPlan: longNumber('hours_over_plan').generatedAlwaysAs(
      sql`takt.bounded_microhours(takt.sum_of_known(${runComparison.overPlan}, ${setupComparison.overPlan}, ${cleanupComparison.overPlan}))`,
    ),
    /** The key of the structure version; null if the company names them by numbers. */
    productStructureVersionKey: text('product_structure_version_key'),
    /** A copy of products.product_key. */
    productKey: text('product_key'),
    /** The time in the newest event if that was a product-structure-version.removed.v1; then changedAt is null. */
    removedAt: instant('removed_at'),
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
    /** The time in the newest product-structure-version.changed.v1 that contains this product. */
    changedAt: instant('changed_at').notNull(),
    /** The name of the product, folded for comparisons that ignore case. */
    foldedName: text('folded_name').generatedAlwaysAs(sql`casefold(name)`),
    /** The key of the product; null if the company names products by numbers. */
    productKey: text('product_key'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.productId] })],
);

/**
 * For each company, the number of rows that appear in a list. The function takt.note_changes keeps these numbers up to
 * date. If a company has no row here, its lists are empty.
 */
export const listSizes = takt.table('list_sizes', {
  companyId: integer('company_id').primaryKey(),
  productStructureVersions: wholeNumber('product_structure_versions').notNull(),
});

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
 * The figures of a structure version in one month. Averages and deviations are not stored here: functions of the schema
 * takt compute them when they are read.
 */
export const monthlyFigures = takt.table(
  'monthly_figures',
  {
    companyId: integer('company_id').notNull(),
    productStructureVersionId: wholeNumber('product_structure_version_id').notNull(),
    /**
     * The first day of the month. Operations belong to the month in which they were completed, in the time zone that
     * applies to the structure version's months.
     */
    month: date('month').notNull(),
    /** The number of operations. It is 0 if all operations of the month have been moved or reopened. */
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

/** The ledger. It contains the newest revision of each operation, until the operation is pruned. */
export const workOrderOperations = takt.table(
  'work_order_operations',
  {
    companyId: integer('company_id').notNull(),
    workOrderOperationId: wholeNumber('work_order_operation_id').notNull(),
    revision: wholeNumber('revision').notNull(),
    /** The structure version of the operation; null if the operation was reopened. */
    productStructureVersionId: wholeNumber('product_structure_version_id'),
    workOrderId: wholeNumber('work_order_id'),
    /** The time at which the operation was completed or reopened. */
    changedAt: instant('changed_at').notNull(),
    /** The reported run time in hours; null if it was not reported. The next two columns are alike. */
    runTime: numeric('run_time', { precision: 13, scale: 6 }),
    setupTime: numeric('setup_time', { precision: 13, scale: 6 }),
    cleanupTime: numeric('cleanup_time', { precision: 13, scale: 6 }),
    /** The key of the operation; null if it is named by its number. */
    workOrderOperationKey: text('work_order_operation_key'),
    workOrderKey: text('work_order_key'),
    /** The newest event of the operation; null if it was applied before events were recorded. */
    eventSource: text('event_source'),
    eventId: text('event_id'),
    eventTime: instant('event_time'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.workOrderOperationId] })],
);

export const applicationVersions = takt.table(
  'application_versions',
  {
    companyId: integer('company_id').notNull(),
    applicationVersionId: wholeNumber('application_version_id').notNull(),
    applicationId: wholeNumber('application_id').notNull(),
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
    /**
     * CustomFieldOrder.FieldOrder from the event. It is JSON in the form in which it was sent; this program never
     * parses it.
     */
    fieldOrder: text('field_order'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.applicationVersionId] })],
);

export const errorMessages = takt.table('error_messages', {
  errorMessageId: integer('error_message_id').primaryKey(),
  status: text('status').notNull(),
  namespace: text('namespace').notNull(),
  httpStatusCode: integer('http_status_code').notNull(),
  /** The English text of the message. {0}, {1}, ... stand for the parameters. */
  message: text('message').notNull(),
  availableTranslations: text('available_translations').notNull(),
  createdBy: wholeNumber('created_by').notNull(),
  technicalDescription: text('technical_description').notNull(),
  /** The translations of the message. The keys are three-letter languages. */
  translations: jsonb('translations').$type<Readonly<Record<string, string>>>().notNull(),
});

export const domainValues = takt.table(
  'domain_values',
  {
    object: text('object').notNull(),
    field: text('field').notNull(),
    key: text('key').notNull(),
    description: text('description').notNull(),
    /** The translations of the description. The keys are three-letter languages, e.g. {"nob": "ny"}. */
    translations: jsonb('translations').$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** The position of the value in a list of choices, counted from 1. */
    priority: integer('priority').notNull(),
  },
  (table) => [primaryKey({ columns: [table.object, table.field, table.key] })],
);
