export { createLogger, type Logger } from './create-logger.js';
export { type CsvCell, csvLine } from './csv.js';
export { listen } from './listen.js';
export { nodeArgumentsOf } from './node-arguments.js';
export { type LogLevel, resolveSettings, type Settings, SettingsError } from './resolve-settings.js';
export { type Closeable, runUntilSignal } from './run-until-signal.js';
export {
  createTurnstile,
  type Entry,
  type Leave,
  type TurnedAway,
  type Turnstile,
  type TurnstileLimits,
} from './turnstile.js';
export { type FitnessOptions, waitUntilFit } from './wait-until-fit.js';
export {
  type BackoffOptions,
  nextDelayMs,
  pause,
  type RepetitionOptions,
  repeat,
  shareRun,
  withDeadline,
} from './waiting.js';
