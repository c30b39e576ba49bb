export { ConcurrencyLimiter, type Entry, type Leave, type Refusal } from './concurrency-limiter.js';
export { createLogger, type Logger } from './create-logger.js';
export { nodeArgumentsOf } from './node-arguments.js';
export { resolveSettings, type Settings, SettingsError } from './resolve-settings.js';
export { type Closeable, listen, runUntilSignal } from './run-until-signal.js';
export {
  nextDelayMs,
  pause,
  repeat,
  shareReading,
  shareRun,
  waitUntilFit,
  withDeadline,
} from './waiting.js';
export { createWriteBuffer, type WriteBuffer } from './write-buffer.js';
