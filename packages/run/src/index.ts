export { createLogger, type Logger } from './create-logger.js';
export { nodeArgumentsOf } from './node-arguments.js';
export { resolveSettings, type Settings, SettingsError } from './resolve-settings.js';
export { type Closeable, listen, runUntilSignal } from './run-until-signal.js';
export { createTurnstile, type Entry, type Leave, type TurnedAway, type Turnstile } from './turnstile.js';
export { nextDelayMs, pause, repeat, shareRun, waitUntilFit, withDeadline } from './waiting.js';
