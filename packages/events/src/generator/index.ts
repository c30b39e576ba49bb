export { type GenerateOptions, generateEvents } from './generate-events.js';
export { FIRST_OPERATION_ID } from './shop-floor.js';
