export { type GenerateOptions, generateEvents } from './generate-events.js';
export type { GeneratedEvent } from './generated-event.js';
export { FIRST_OPERATION_ID } from './shop-floor.js';
