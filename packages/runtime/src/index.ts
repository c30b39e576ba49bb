export { type BackoffOptions, nextDelayMs } from './backoff.js';
export { createLogger, type Logger } from './create-logger.js';
export { pause } from './pause.js';
export { type Closeable, type Life, runUntilSignal } from './run-until-signal.js';
export { type FitnessOptions, waitUntilFit } from './wait-until-fit.js';
