export { type MeasuredCosts, measuredCosts } from './measured-costs.js';
export { type CapacityPlan, type Load, type Need, planCapacity } from './plan-capacity.js';
export { pagesTouched, rowsPerTransaction } from './touched.js';
