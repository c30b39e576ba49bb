export { type MeasuredCosts, measuredCosts } from './measured-costs.js';
export { type CapacityPlan, type Need, planCapacity } from './plan-capacity.js';
export { decadesAbove, type Load, met, PAGES_A_ROW, statementMicroseconds } from './work-of-load.js';
