import { createRequire } from 'node:module';
import { type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import type pinoPretty from 'pino-pretty';

export type Logger = PinoLogger & {
  /** At which each request is logged; absent: info. Nobody reads a terminal on which all of them pass. */
  readonly requestLevel?: 'debug';
};

interface LoggerOptions {
  readonly app: string;
  readonly level: string;
  /** Standard output is a terminal: people read, so no JSON. */
  readonly isTerminal: boolean;
}

/** Never written to a log, wherever they appear in what is logged. */
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
  // An error under any other name than `err` would be written without its message.
  const serializers = { error: stdSerializers.err };
  const options = { name: app, level, base: { app }, redact: SECRETS, serializers };
  if (!isTerminal) return pino(options, openOutput());
  return Object.assign(pino(options, openTerminal()), { requestLevel: 'debug' as const });
}

/** Written in the background, so that a slow reader holds up nobody; a length above 0 is what lets it be flushed. */
function openOutput() {
  return pino.destination({ dest: 1, sync: false, minLength: 1 });
}

/** Loaded only where a person reads: it takes longer than most of what else an app loads to start. */
function openTerminal(): pinoPretty.PrettyStream {
  const pretty: typeof pinoPretty = createRequire(import.meta.url)('pino-pretty');
  return pretty({ ignore: 'pid,hostname,app,name', messageFormat: '[{app}] {msg}', sync: true });
}
