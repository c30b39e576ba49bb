export { type MeasuredCosts, measuredCosts } from './measured-costs.js';
export { PAGES_A_ROW } from './pages-a-row.js';
export { type CapacityPlan, type Need, planCapacity } from './plan-capacity.js';
export { decadesAbove, pagesTouched, rowsPerTransaction } from './touched.js';
export { type Load, statementMicroseconds } from './work-of-load.js';
