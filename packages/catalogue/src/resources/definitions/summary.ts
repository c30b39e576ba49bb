import { inEveryLanguage } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import type { Field, Group } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import {
  comparedHeadings,
  planHeadings,
  headings as timesHeadings,
} from './aggregated-production-times-headings.js';

/** The name in `$expand` that adds the totals to a list. */
export const SUMMARY = 'Summary';

/**
 * The names of the parameters for the second period, for documents. The documents put the text into backticks, so it
 * contains the inner two.
 */
export const COMPARING = 'compareFrom` or `compareTo';

export const headings = {
  ComparedHoursOverPlan: comparedHeadings.ComparedHoursOverPlan,
  NumberOfCompletedProductionWorkOrders: timesHeadings.NumberOfCompletedProductionWorkOrders,
  HoursOverPlan: planHeadings.HoursOverPlan,
  ...inEveryLanguage('summary', {
    Summary: 'In total',
    NumberOfRows: 'Rows',
    PlannedHours: 'Planned hours',
    ActualHours: 'Actual hours',
    LastMonthIsOver: 'Last month is over',
  }),
};

const { boolean, group, integer, signedHours } = fieldBuilders(headings);

/** Totals that a list has only if the request names a period. */
export interface PeriodTotals {
  /** SQL that is true as soon as the last month of the period is over. */
  readonly lastMonthIsOver?: SQLWrapper;
  /** The column with a row's hours over plan in a second period, in microhours; absent if there is no second period. */
  readonly comparedHoursOverPlan?: SQLWrapper;
}

/** The columns from which the totals are computed. Times are in microhours. */
interface Summed extends PeriodTotals {
  readonly operations: SQLWrapper;
  /** The column with the hours over plan; its value is null if nothing is planned. */
  readonly hoursOverPlan: SQLWrapper;
  /**
   * SQL of an aggregate over the rows: the microhours that were planned for them. Kinds of time without a plan are not
   * counted.
   */
  readonly planned: SQLWrapper;
}

export function summaryOf({
  operations,
  hoursOverPlan,
  planned,
  lastMonthIsOver,
  comparedHoursOverPlan,
}: Summed): Group {
  const overPlan = sql`sum(${hoursOverPlan})`;
  const plannedHours = sql`CASE WHEN ${overPlan} IS NOT NULL THEN ${planned} END`;
  const hours = (
    name: 'PlannedHours' | 'ActualHours' | 'HoursOverPlan' | 'ComparedHoursOverPlan',
    what: string,
    total: SQLWrapper,
  ): Field => ({
    ...signedHours(name, `${what}; missing without a plan.`, sql`takt.within_bigint(${total})`, {
      duty: 'read-planned-times',
    }),
    queryName: undefined,
  });
  return group(
    SUMMARY,
    'Totals of all rows after filter and search. Beyond the specification.',
    [
      integer('NumberOfRows', 'Number of rows.', { from: sql`count(*)` }),
      integer('NumberOfCompletedProductionWorkOrders', 'Number of completed work order operations.', {
        from: sql`coalesce(sum(${operations}), 0)`,
      }),
      hours(
        'PlannedHours',
        'Hours planned for the completed operations, for the kinds of time that have a plan',
        plannedHours,
      ),
      hours(
        'ActualHours',
        'Hours that completed operations took, for the kinds of time that have a plan',
        sql`${plannedHours} + ${overPlan}`,
      ),
      hours('HoursOverPlan', 'Actual minus planned hours', overPlan),
      ...(lastMonthIsOver === undefined
        ? []
        : [
            boolean(
              'LastMonthIsOver',
              'True if the last month of the period is over in the time zone of the company; false if the period has no last month.',
              { from: lastMonthIsOver, onlyWith: 'from` or `to' },
            ),
          ]),
      ...(comparedHoursOverPlan === undefined
        ? []
        : [
            {
              ...hours(
                'ComparedHoursOverPlan',
                'Hours over plan of the same rows in the second period',
                sql`sum(${comparedHoursOverPlan})`,
              ),
              onlyWith: COMPARING,
            },
          ]),
    ],
    { expandedBy: SUMMARY },
  );
}
