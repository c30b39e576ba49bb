import { sql } from 'drizzle-orm';
import { integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { exactSum, hours, instant, wholeNumber } from './column-kinds.js';
import { taktSchema } from './takt-schema.js';

/**
 * Master data, planned times and figures of a product structure version. The row may begin with figures alone;
 * its master data are null until changedAt is set, and only then is it listed.
 */
export const productStructureVersions = taktSchema.table(
  'product_structure_versions',
  {
    companyId: integer('company_id').notNull(),
    productStructureVersionId: wholeNumber('product_structure_version_id').notNull(),

    /** Newest product-structure-version.changed.v1 taken in; null: not listed yet. */
    changedAt: instant('changed_at'),
    status: integer('status'),
    name: text('name'),
    version: integer('version'),
    revision: text('revision'),
    productId: wholeNumber('product_id'),
    /** Copy of products.name. */
    productName: text('product_name'),
    /** Planned hours. */
    runTime: hours('run_time'),
    /** Planned hours. */
    setupTime: hours('setup_time'),
    /** Planned hours. */
    cleanupTime: hours('cleanup_time'),

    /** Operations whose newest state is completed; also the number of run times, as each has one. */
    numberOfCompletedOperations: wholeNumber('number_of_completed_operations').notNull().default(0),
    /** Hours. */
    runTimeSum: exactSum('run_time_sum'),
    /** Square hours. */
    runTimeSumOfSquares: exactSum('run_time_sum_of_squares'),
    /** Hours; this and the three below are null without a run time. */
    shortestRunTime: hours('shortest_run_time'),
    longestRunTime: hours('longest_run_time'),
    averageRunTime: hours('average_run_time').generatedAlwaysAs(
      sql`takt.average_hours(number_of_completed_operations, run_time_sum)`,
    ),
    /** Population standard deviation. */
    deviationRunTime: hours('deviation_run_time').generatedAlwaysAs(
      sql`takt.population_deviation_hours(number_of_completed_operations, run_time_sum, run_time_sum_of_squares)`,
    ),

    /** Counted operations that reported a setup time. */
    setupTimeCount: wholeNumber('setup_time_count').notNull().default(0),
    /** Hours. */
    setupTimeSum: exactSum('setup_time_sum'),
    /** Square hours. */
    setupTimeSumOfSquares: exactSum('setup_time_sum_of_squares'),
    /** Hours; this and the three below are null without a setup time. */
    shortestSetupTime: hours('shortest_setup_time'),
    longestSetupTime: hours('longest_setup_time'),
    averageSetupTime: hours('average_setup_time').generatedAlwaysAs(
      sql`takt.average_hours(setup_time_count, setup_time_sum)`,
    ),
    /** Population standard deviation. */
    deviationSetupTime: hours('deviation_setup_time').generatedAlwaysAs(
      sql`takt.population_deviation_hours(setup_time_count, setup_time_sum, setup_time_sum_of_squares)`,
    ),

    /** Counted operations that reported a cleanup time. */
    cleanupTimeCount: wholeNumber('cleanup_time_count').notNull().default(0),
    /** Hours. */
    cleanupTimeSum: exactSum('cleanup_time_sum'),
    /** Square hours. */
    cleanupTimeSumOfSquares: exactSum('cleanup_time_sum_of_squares'),
    /** Hours; this and the three below are null without a cleanup time. */
    shortestCleanupTime: hours('shortest_cleanup_time'),
    longestCleanupTime: hours('longest_cleanup_time'),
    averageCleanupTime: hours('average_cleanup_time').generatedAlwaysAs(
      sql`takt.average_hours(cleanup_time_count, cleanup_time_sum)`,
    ),
    /** Population standard deviation. */
    deviationCleanupTime: hours('deviation_cleanup_time').generatedAlwaysAs(
      sql`takt.population_deviation_hours(cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares)`,
    ),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.productStructureVersionId] })],
);
