import { createRequire } from 'node:module';
import { type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import type pinoPretty from 'pino-pretty';

export type Logger = PinoLogger & {
  /**
   * Level of the line that is logged for each request. Default info. On a terminal, lines at level info would scroll
   * too fast to read.
   */
  readonly requestLevel?: 'debug';
};

interface LoggerOptions {
  readonly app: string;
  readonly level: string;
  /** True if standard output is a terminal. The logger then writes readable text instead of JSON. */
  readonly isTerminal: boolean;
}

/** Keys whose values are redacted. They are redacted at the top level of a log line and one level below. */
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

/** Creates a logger that writes JSON lines to standard output, or readable lines on a terminal. */
export function createLogger({ app, level, isTerminal }: LoggerOptions): Logger {
  // Pino serialises only the key `err` as an error. Under another name, an error would lose its message.
  const serializers = { error: stdSerializers.err };
  const options = { name: app, level, base: { app }, redact: SECRETS, serializers };
  if (!isTerminal) return pino(options, openOutput());
  return Object.assign(pino(options, openTerminal()), { requestLevel: 'debug' as const });
}

/**
 * Opens the output. It writes in the background, so that a slow reader blocks nobody. A `minLength` above 0 makes it
 * possible to flush the output.
 */
function openOutput() {
  return pino.destination({ dest: 1, sync: false, minLength: 1 });
}

/**
 * Opens the output for a terminal. Its module is loaded only for a terminal, because it takes longer to load than most
 * of an app.
 */
function openTerminal(): pinoPretty.PrettyStream {
  const pretty: typeof pinoPretty = createRequire(import.meta.url)('pino-pretty');
  return pretty({ ignore: 'pid,hostname,app,name', messageFormat: '[{app}] {msg}', sync: true });
}
