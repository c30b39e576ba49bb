/** What the environment says, complete and checked. Ports are TCP ports; URLs are as given. */
export interface Settings {
  /** undefined: the embedded server of `home`. */
  readonly databaseUrl: string | undefined;
  /** undefined: the database, through BullMQ's Postgres backend. */
  readonly queueUrl: string | undefined;
  /** Folder of the embedded server's data, passwords and pid files. */
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** Begins every link of the API; without a slash at its end. */
  readonly baseUrl: string;
  readonly dashboardPort: number;
  readonly workerPort: number;
  readonly logLevel: LogLevel;
  /** Of one remote address to the API; behind a proxy that is everybody. */
  readonly connectionsPerAddress: number;
  /** Lets a Redis that may lose acknowledged writes pass the start-up check. */
  readonly allowVolatileQueue: boolean;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Wrong settings, all of them at once; the message names each variable, what it holds and what it may hold. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables; a variable that is empty counts as absent. */
export function resolveSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, allowed: string): T => {
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`${name} is ${JSON.stringify(text)}, it must be ${allowed}`);
    return value ?? fallback;
  };
  const host = read('HOST', '127.0.0.1', (text) => text, 'a host name or address');
  const port = read('PORT', 3000, parsePort, PORT_ALLOWED);
  const settings: Settings = {
    databaseUrl: read<string | undefined>(
      'DATABASE_URL',
      undefined,
      parseUrl(['postgres', 'postgresql']),
      DATABASE_ALLOWED,
    ),
    queueUrl: read<string | undefined>(
      'QUEUE_URL',
      undefined,
      parseUrl(['redis', 'rediss', 'postgres', 'postgresql']),
      'a redis://, rediss:// or postgres:// URL',
    ),
    home: read('TAKT_HOME', '.takt', (text) => text, 'a folder'),
    host,
    port,
    baseUrl: read('BASE_URL', `http://${host}:${port}`, parseBaseUrl, 'an http:// or https:// URL'),
    dashboardPort: read('DASHBOARD_PORT', 3001, parsePort, PORT_ALLOWED),
    workerPort: read('WORKER_PORT', 3002, parsePort, PORT_ALLOWED),
    logLevel: read('LOG_LEVEL', 'info', parseLogLevel, `one of ${LOG_LEVELS.join(', ')}`),
    connectionsPerAddress: read(
      'TAKT_CONNECTIONS_PER_ADDRESS',
      1_000,
      parseCount,
      'a whole number from 1 to 2000',
    ),
    allowVolatileQueue: read('TAKT_ALLOW_VOLATILE_QUEUE', false, parseBoolean, 'true or false'),
  };
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  return settings;
}

const PORT_ALLOWED = 'a port from 0 to 65535 (0: any free one)';
const DATABASE_ALLOWED = 'a postgres:// URL';

function parsePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : undefined;
}

function parseCount(text: string): number | undefined {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= 2_000 ? count : undefined;
}

/** Several hosts, as of a Redis Cluster, stand between commas, which URL itself does not take with ports. */
function parseUrl(schemes: readonly string[]) {
  return (text: string): string | undefined => {
    const scheme = /^([a-z]+):\/\/\S+$/.exec(text)?.[1];
    return scheme !== undefined && schemes.includes(scheme) ? text : undefined;
  };
}

function parseBaseUrl(text: string): string | undefined {
  return URL.canParse(text) && /^https?:\/\//.test(text) ? text.replace(/\/+$/, '') : undefined;
}

function parseLogLevel(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text);
}

function parseBoolean(text: string): boolean | undefined {
  return { true: true, '1': true, false: false, '0': false }[text];
}
