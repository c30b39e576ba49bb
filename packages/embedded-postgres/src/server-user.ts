import { type SpawnOptions, spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { EmbeddedServerError, type HomeLayout } from './home.js';

/** The account a program runs under. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** What came of a program: its exit code (undefined when it could not be started or was killed) and its output. */
export interface ProgramResult {
  readonly code: number | undefined;
  readonly output: string;
}

interface ProgramOptions {
  /** Undefined runs it as the current user. */
  readonly user: ServerUser | undefined;
  readonly input?: string;
  /** The root directory by default. */
  readonly directory?: string;
  readonly deadlineMs: number;
  /** Kills the program. */
  readonly giveUp?: AbortSignal;
}

/**
 * How every program of the server is started: with nothing of the caller's environment (`PGDATA`, `PGPORT`,
 * locale), and in a directory that is entered before root's rights are given up.
 */
export function spawnOptionsFor(user: ServerUser | undefined, directory = '/'): SpawnOptions {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: directory, env, ...(user && { uid: user.uid, gid: user.gid }) };
}

/** Runs a program to its end or the deadline, when it is killed. Never rejects. */
export function runProgram(
  file: string,
  programArguments: readonly string[],
  { user, input = '', directory, deadlineMs, giveUp }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    const child = spawn(file, [...programArguments], {
      ...spawnOptionsFor(user, directory),
      timeout: deadlineMs,
      killSignal: 'SIGKILL',
      ...(giveUp && { signal: giveUp }),
      stdio: 'pipe',
    });
    child.on('error', (error) => resolve({ code: undefined, output: `${output}${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? undefined, output }));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    // A program that ends without reading its input breaks the pipe; its exit code tells what matters.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Accounts that exist for running services, in the order they are tried. */
const SERVICE_ACCOUNTS = ['postgres', 'nobody'];

/**
 * The account to run PostgreSQL under, which refuses to run as root. Undefined means the current user, who is
 * not root. For root: the owner of the existing data, else the owner of the home, else a service account.
 */
export async function chooseServerUser(layout: HomeLayout): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  const data = await stat(layout.data).catch(() => undefined);
  if (data !== undefined && data.uid !== 0) {
    const known = accounts.find((account) => account.uid === data.uid);
    return known ?? { name: String(data.uid), uid: data.uid, gid: data.gid };
  }
  const home = await stat(layout.home);
  // initdb looks its user up, so an owner without an account cannot be used.
  const owner = accounts.find((account) => account.uid === home.uid && account.uid !== 0);
  const service = SERVICE_ACCOUNTS.flatMap((name) => accounts.filter((account) => account.name === name));
  const user = owner ?? service.find((account) => account.uid !== 0);
  if (user === undefined) {
    throw new EmbeddedServerError(
      'PostgreSQL refuses to run as root, and there is no other account for it: ' +
        'create a user named postgres (useradd --system postgres), or run Takt as a user other than root.',
    );
  }
  return user;
}

/** The accounts of a text in the format of /etc/passwd. */
export function parsePasswd(text: string): ServerUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid || !/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/** A data directory. */
export interface DataDirectory {
  /** Its real path; programs that use it are started in it. */
  readonly directory: string;
  /** How the server's user can name it, who may not be allowed to follow its path. */
  readonly visibleAs: string;
}

/** The current directory of whichever process asks, however it got there. */
const OWN_DIRECTORY = '/proc/self/cwd';

/**
 * How the server's user can name a data directory, also one below a directory that only root may enter, such as a
 * checkout in /root: there the server is started inside its data and names it by where it is. The rejected
 * alternative, data elsewhere with a link in the home, leaves data behind when a home is deleted.
 */
export async function dataDirectoryFor(
  directory: string,
  user: ServerUser | undefined,
): Promise<DataDirectory> {
  const canEnter = async (path: string) => {
    const options = { user, directory, deadlineMs: 10_000 };
    return (await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', path], options)).code === 0;
  };
  if (user === undefined || (await canEnter(directory))) return { directory, visibleAs: directory };
  if (await canEnter(OWN_DIRECTORY)) return { directory, visibleAs: OWN_DIRECTORY };
  throw new EmbeddedServerError(
    `PostgreSQL runs as user ${user.name}, because it refuses to run as root, and that user cannot reach ` +
      `${directory}: point TAKT_HOME to a directory that every user may enter, or run Takt as another user.`,
  );
}
