import { createRequire } from 'node:module';
import { type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import type pinoPretty from 'pino-pretty';

export type Logger = PinoLogger & {
  /** The level of the line for each request; default info. At info, a terminal would scroll too fast to read. */
  readonly requestLevel?: 'debug';
};

interface LoggerOptions {
  readonly app: string;
  readonly level: string;
  /** True if standard output is a terminal: writes text, not JSON. */
  readonly isTerminal: boolean;
}

/** Keys whose values are redacted, at the top level of a log line and one level below. */
const SECRETS = [
  'password',
  'token',
  'authorization',
  'url',
  '*.password',
  '*.token',
  '*.authorization',
  '*.url',
];

/** Writes JSON lines to standard output, or readable ones on a terminal. */
export function createLogger({ app, level, isTerminal }: LoggerOptions): Logger {
  // Pino serialises only `err` as an error: under another name it would lose its message.
  const serializers = { error: stdSerializers.err };
  const options = { name: app, level, base: { app }, redact: SECRETS, serializers };
  if (!isTerminal) return pino(options, openOutput());
  return Object.assign(pino(options, openTerminal()), { requestLevel: 'debug' as const });
}

/** Writes in the background, so that a slow reader blocks nobody. `minLength` above 0 makes flushing possible. */
function openOutput() {
  return pino.destination({ dest: 1, sync: false, minLength: 1 });
}

/** Loaded only for a terminal: it takes longer to load than most of an app. */
function openTerminal(): pinoPretty.PrettyStream {
  const pretty: typeof pinoPretty = createRequire(import.meta.url)('pino-pretty');
  return pretty({ ignore: 'pid,hostname,app,name', messageFormat: '[{app}] {msg}', sync: true });
}
