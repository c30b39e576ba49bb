/**
 * Thrown for a queue URL that cannot be used. The message never contains the URL, because the URL may have a password.
 */
export class QueueUrlError extends Error {
  override readonly name = 'QueueUrlError';
}

export interface RedisAddress {
  readonly store: 'redis';
  /** The hosts of the URL. Several hosts are the seed nodes of a Redis Cluster. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly isCluster: boolean;
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Number of the logical Redis database. */
  readonly db: number;
}

export interface PostgresAddress {
  readonly store: 'postgres';
  /** The URL without the parameter `options`. */
  readonly connectionString: string;
  /** The parameter `options` of the URL: PostgreSQL's command-line options for the session. */
  readonly options: string;
}

type QueueAddress = RedisAddress | PostgresAddress;

const REDIS_URL = /^(?<scheme>rediss?):\/\/(?:(?<user>[^@/]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<db>\d{0,4}))?$/i;
const POSTGRES_URL = /^postgres(?:ql)?:\/\//i;
const DEFAULT_REDIS_PORT = 6379;

/**
 * Parses a queue URL. For Redis it is `redis://` or `rediss://` (TLS) with `[user:password@]host[:port][/database]`;
 * several hosts separated by commas are a Redis Cluster. For PostgreSQL it is `postgres://`. Throws a QueueUrlError.
 */
export function parseQueueUrl(queueUrl: string): QueueAddress {
  if (POSTGRES_URL.test(queueUrl)) return parsePostgresUrl(queueUrl);
  const groups = REDIS_URL.exec(queueUrl)?.groups;
  if (groups === undefined) {
    throw new QueueUrlError(
      'the queue URL must be redis://[user:password@]host[:port][/database], the same with rediss:// for TLS, ' +
        'with several hosts separated by commas for a Redis Cluster, or postgres://',
    );
  }
  const { scheme = '', user = '', hosts = '', db = '' } = groups;
  const [username, ...password] = user.split(':');
  const isCluster = hosts.includes(',');
  if (isCluster && Number(db) !== 0) {
    throw new QueueUrlError('a Redis Cluster has only database 0');
  }
  return {
    store: 'redis',
    hosts: hosts.split(',').map(parseHost),
    isCluster,
    tls: scheme.toLowerCase() === 'rediss',
    username: decode(username),
    password: decode(password.join(':')),
    db: Number(db),
  };
}

function parsePostgresUrl(queueUrl: string): PostgresAddress {
  if (!URL.canParse(queueUrl)) {
    throw new QueueUrlError('the queue URL is no valid postgres:// URL');
  }
  const url = new URL(queueUrl);
  const options = url.searchParams.get('options') ?? '';
  if (options === '') {
    return { store: 'postgres', connectionString: queueUrl, options };
  }
  url.searchParams.delete('options');
  return { store: 'postgres', connectionString: url.href, options };
}

function parseHost(text: string): { host: string; port: number } {
  const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined;
  if (url === undefined || url.hostname === '') {
    throw new QueueUrlError('a host of the queue URL is not of the form host or host:port');
  }
  const port = url.port === '' ? DEFAULT_REDIS_PORT : Number(url.port);
  // The brackets around an IPv6 address belong to the syntax of the URL, not to the address.
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new QueueUrlError('the user name or password in the queue URL is not percent-encoded');
  }
}
