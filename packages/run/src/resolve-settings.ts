import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** The complete and checked settings. Ports are TCP ports, and URLs are as the user wrote them. */
export interface Settings {
  /**
   * Address of the database. It includes the password, even if the password comes from a file. If undefined, the
   * embedded server of `home` is used.
   */
  readonly databaseUrl: string | undefined;
  /**
   * The kind of pooler in front of the database: one that lends a session for a transaction. If undefined, each
   * connection is a session of its own.
   */
  readonly databasePooler: 'transaction' | undefined;
  /** Address of a streaming replica from which the API reads. If undefined, the API reads from the primary. */
  readonly databaseReplicaUrl: string | undefined;
  /**
   * Maximum lag of the replica in ms. If the lag is larger, the API reads from the primary, provided that the primary
   * is up.
   */
  readonly maxReplicaLagMs: number;
  /** Address of the queues. If undefined, the queues are in the database, with BullMQ's PostgreSQL backend. */
  readonly queueUrl: string | undefined;
  /** Folder with the data, passwords and pid files of the embedded server, and with uploaded files. */
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** Prefix of all links in the API, without a trailing slash. */
  readonly baseUrl: string;
  readonly dashboardPort: number;
  /** Prefix of all links in the dashboard, without a trailing slash. */
  readonly dashboardUrl: string;
  readonly workerPort: number;
  readonly intakePort: number;
  readonly logLevel: LogLevel;
  /** Addresses and address ranges of the proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Maximum number of requests per minute with one access token of the API. 0 means no limit. */
  readonly requestsPerMinute: number;
  /** Memory of the API's answer cache in bytes. 0 means no cache. */
  readonly keptAnswersBytes: number;
  /** If true, the app starts even with a log-in that has more rights than the app needs, such as the owner's. */
  readonly allowOwner: boolean;
  /** If true, the app starts even with a Redis that may lose acknowledged writes. */
  readonly allowVolatileQueue: boolean;
  /** How far the time of a change may lie ahead of the clock, in ms. An event with a later time is invalid. */
  readonly maxAheadMs: number;
  /** Maximum percentage of rejected events in the last 5 minutes. If it is exceeded, an alarm starts. */
  readonly alarmRejectedPercent: number;
  /** URL that is called when an alarm starts or ends. If undefined, nothing is called. */
  readonly alarmWebhookUrl: string | undefined;
  /** Secret that signs the requests to the webhook. */
  readonly alarmWebhookSecret: string | undefined;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Thrown with all wrong settings at once. The message names each wrong variable, its value and the accepted values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables and from password files. An empty variable counts as absent. */
export function resolveSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, allowed: string): T => {
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) {
      // Any part of a URL may be a secret, also of a wrong one.
      const found = name.endsWith('_URL') ? `${name} is wrong` : `${name} is ${JSON.stringify(text)}`;
      problems.push(`${found}, it must be ${allowed}`);
    }
    return value ?? fallback;
  };
  const password = read('DATABASE_PASSWORD_FILE', undefined, readPassword, PASSWORD_ALLOWED);
  const readDatabase = (name: string): string | undefined => {
    const url = read(name, undefined, parseUrl(['postgres', 'postgresql']), DATABASE_ALLOWED);
    if (url === undefined || password === undefined) return url;
    const complete = withPassword(url, password);
    if (complete === undefined) problems.push(passwordProblem(name));
    return complete;
  };
  const databaseUrl = readDatabase('DATABASE_URL');
  if (password !== undefined && databaseUrl === undefined && problems.length === 0) {
    problems.push(passwordProblem('DATABASE_URL'));
  }
  const host = read('HOST', '127.0.0.1', parseHost, 'an IP address or a host name');
  const addressOf = (port: number) => `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const port = read('PORT', 3000, parsePort, PORT_ALLOWED);
  const dashboardPort = read('DASHBOARD_PORT', 3001, parsePort, PORT_ALLOWED);
  const settings: Settings = {
    databaseUrl,
    databasePooler: read<'transaction' | undefined>(
      'DATABASE_POOLER',
      undefined,
      (text) => (text === 'transaction' ? text : undefined),
      'transaction, or unset if each connection is a session of its own',
    ),
    databaseReplicaUrl: readDatabase('DATABASE_REPLICA_URL'),
    maxReplicaLagMs: read(
      'TAKT_MAX_REPLICA_LAG',
      10_000,
      parseSeconds,
      'seconds or minutes from 2s to 60m, as in 10s or 1m',
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
    baseUrl: read('BASE_URL', addressOf(port), parseBaseUrl, BASE_URL_ALLOWED),
    dashboardPort,
    dashboardUrl: read('DASHBOARD_URL', addressOf(dashboardPort), parseBaseUrl, BASE_URL_ALLOWED),
    workerPort: read('WORKER_PORT', 3002, parsePort, PORT_ALLOWED),
    intakePort: read('INTAKE_PORT', 3003, parsePort, PORT_ALLOWED),
    logLevel: read('LOG_LEVEL', 'info', parseLogLevel, `one of ${LOG_LEVELS.join(', ')}`),
    requestsPerMinute: read(
      'TAKT_REQUESTS_PER_MINUTE',
      60_000,
      parseInteger(0, 10_000_000),
      'a whole number from 0 to 10000000',
    ),
    trustedProxies: read<readonly string[]>(
      'TRUSTED_PROXIES',
      [],
      parseAddresses,
      'addresses and ranges, separated by commas, as in 10.0.0.7,192.168.0.0/16,fd00::/8',
    ),
    keptAnswersBytes:
      MEGABYTE *
      read('TAKT_KEPT_ANSWERS_MB', 32, parseInteger(0, 4_096), 'a whole number from 0 to 4096 (megabytes)'),
    allowOwner: read('TAKT_ALLOW_OWNER', false, parseBoolean, 'true or false'),
    allowVolatileQueue: read('TAKT_ALLOW_VOLATILE_QUEUE', false, parseBoolean, 'true or false'),
    maxAheadMs: read('TAKT_MAX_AHEAD', DAY_MS, parseDuration, DURATION_ALLOWED),
    alarmRejectedPercent: read(
      'ALARM_REJECTED_PERCENT',
      1,
      parseInteger(0, 100),
      'a whole number from 0 to 100',
    ),
    alarmWebhookUrl: read<string | undefined>('ALARM_WEBHOOK_URL', undefined, parseWebUrl, WEB_URL_ALLOWED),
    alarmWebhookSecret: read<string | undefined>('ALARM_WEBHOOK_SECRET', undefined, (text) => text, 'a text'),
  };
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  return settings;
}

const MEGABYTE = 1_048_576;
const PORT_ALLOWED = 'a port from 0 to 65535 (0: any free one) that browsers do not block';
const DATABASE_ALLOWED = 'a postgres:// URL';
const WEB_URL_ALLOWED =
  'an http:// or https:// URL without a user or a password, with a port that browsers do not block';
const BASE_URL_ALLOWED = `${WEB_URL_ALLOWED}, and without a query`;

const PASSWORD_ALLOWED = 'a file that can be read and holds a password, in one line';

/** Reads the only line of a file. Containers get secrets as files, because many tools show the environment. */
function readPassword(path: string): string | undefined {
  try {
    return /^[^\r\n]+(?=\r?\n?$)/.exec(readFileSync(path, 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}

function passwordProblem(name: string): string {
  return `DATABASE_PASSWORD_FILE needs a ${name} with a user and without a password`;
}

/**
 * Returns the address with the password added. Returns undefined if the address already has a password or has no user.
 */
function withPassword(address: string, password: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.username === '' || url.password !== '') return undefined;
  url.password = encodeURIComponent(password);
  return url.href;
}

const DURATION_ALLOWED = 'minutes, hours or days from 1m to 3650d, as in 30m, 8h or 7d';
const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS };

/** Parses a duration and returns milliseconds. */
function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,7})([mhd])$/.exec(text) ?? [];
  const durationMs = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  return durationMs > 0 && durationMs <= 3_650 * DAY_MS ? durationMs : undefined;
}

/**
 * Parses a number of seconds and returns milliseconds. The minimum is 2 s, because the lag is measured only once a
 * second.
 */
function parseSeconds(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,4})([sm])$/.exec(text) ?? [];
  const durationMs = Number(count) * (unit === 's' ? 1_000 : 60_000);
  return durationMs >= 2_000 && durationMs <= 3_600_000 ? durationMs : undefined;
}

/**
 * The ports on which neither browsers nor fetch connect, because they belong to other protocols:
 * https://fetch.spec.whatwg.org/#port-blocking. 0 is not among them: it stands for any free port.
 */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

function parsePort(text: string): number | undefined {
  const port = parseInteger(0, 65_535)(text);
  return port === undefined || BLOCKED_PORTS.has(port) ? undefined : port;
}

/** Returns a parser for a whole number within bounds. */
function parseInteger(minimum: number, maximum: number) {
  return (text: string): number | undefined => {
    const value = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

/** Parses IP addresses, and ranges with a prefix length, which are separated by commas. */
function parseAddresses(text: string): readonly string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim());
  const isKnown = (entry: string): boolean => {
    const [, address = '', prefix] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    return bits >= 0 && Number(prefix ?? 0) <= bits;
  };
  return entries.every(isKnown) ? entries : undefined;
}

/**
 * Returns a parser for URLs with one of the schemes. The hosts of a Redis Cluster are separated by commas, which the
 * class URL does not accept together with ports.
 */
function parseUrl(schemes: readonly string[]) {
  return (text: string): string | undefined => {
    const scheme = /^([a-z]+):\/\/\S+$/.exec(text)?.[1];
    return scheme !== undefined && schemes.includes(scheme) ? text : undefined;
  };
}

function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(text) ? text : undefined;
}

/** Parses a URL for browsers and fetch, which refuse URLs with a password and some ports. */
function parseWebUrl(text: string): string | undefined {
  const url = URL.canParse(text) && /^https?:\/\//.test(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  return url.port === '0' || BLOCKED_PORTS.has(Number(url.port)) ? undefined : text;
}

/** Parses the beginning of links. A query or a fragment would end up in the middle of every link. */
function parseBaseUrl(text: string): string | undefined {
  return /[?#]/.test(text) ? undefined : parseWebUrl(text)?.replace(/\/+$/, '');
}

function parseLogLevel(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text);
}

function parseBoolean(text: string): boolean | undefined {
  return { true: true, '1': true, false: false, '0': false }[text];
}
