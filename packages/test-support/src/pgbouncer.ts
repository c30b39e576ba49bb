import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './observed-process.js';
import { waitUntil } from './wait-until.js';

export interface TestPgBouncer {
  readonly pid: number | undefined;
  /** Returns the URL of a database through the pooler, given the direct URL of the database. */
  urlOf(url: string): string;
  close(): Promise<void>;
}

export interface PgBouncerOptions {
  readonly mode: 'transaction' | 'session' | 'statement';
  /** URLs with the databases, log-ins and passwords that may connect. */
  readonly urls: readonly string[];
  /** Names of startup parameters that the pooler ignores. It refuses other parameters that it does not know. */
  readonly ignores?: readonly string[];
  /** Number of connections to the server for each log-in. */
  readonly poolSize?: number;
}

/** Id of the user nobody, who runs PgBouncer because it refuses to run as root. */
const NOBODY = 65_534;

/** Starts a pgbouncer of its own on a free loopback port. */
export async function startTestPgBouncer({
  mode,
  urls,
  ignores = ['options', 'extra_float_digits', 'statement_timeout'],
  poolSize = 4,
}: PgBouncerOptions): Promise<TestPgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'takt-pgbouncer-'));
  const port = await findFreePort();
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
  const parsed = urls.map((url) => new URL(url));
  const [{ hostname, port: serverPort } = new URL('postgres://localhost')] = parsed;
  const users = parsed.map(
    ({ username, password }) => `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`,
  );
  await writeFile(join(folder, 'users'), users.join(''));
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users')}`,
    'max_client_conn = 200',
    `pool_mode = ${mode}`,
    `default_pool_size = ${poolSize}`,
    'server_login_retry = 1',
    ...(ignores.length === 0 ? [] : [`ignore_startup_parameters = ${ignores.join(', ')}`]),
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  const child = spawn('pgbouncer', ['--quiet', file], { stdio: 'ignore', ...user });
  const ended = once(child, 'exit');
  await waitUntil('pgbouncer listens', () => child.exitCode !== null || listensAt(port));
  if (child.exitCode !== null) throw new Error(`pgbouncer ended with code ${child.exitCode}`);
  return {
    pid: child.pid,
    urlOf: (url) => {
      const pooled = new URL(url);
      pooled.host = `127.0.0.1:${port}`;
      return pooled.href;
    },
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function listensAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
