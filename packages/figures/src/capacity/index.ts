export { type MeasuredCosts, measuredCosts } from './measured-costs.js';
export * from './plan-capacity.js';
