import { aggregatedProductionTimes, queryFieldsOf } from '@takt/resources';

/** What the list of figures can be ordered by: each is an index, which every change of a row writes into. */
const ORDERS = queryFieldsOf(aggregatedProductionTimes).size;

/** Pages that a change of a row of figures touches: its own, and those of the primary key, of what finds products, and of the orders. */
export const PAGES_A_ROW = 3 + ORDERS;
