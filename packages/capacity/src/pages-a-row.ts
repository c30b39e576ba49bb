import { aggregatedProductionTimes, queryFieldsOf } from '@takt/resources';

/** The orders of the list of figures that have an index, which every change of a row writes into. */
const ORDERS = [...queryFieldsOf(aggregatedProductionTimes).values()].filter(
  ({ isUnindexed }) => !isUnindexed,
).length;

/** Pages that a change of a row of figures touches: its own, and those of the primary key, of what finds products, and of the orders. */
export const PAGES_A_ROW = 3 + ORDERS;
