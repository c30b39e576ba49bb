import { type SpawnOptions, spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { EmbeddedServerError, type HomeLayout } from './home.js';

export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The exit code and the output of a program. The exit code is undefined if the program did not start or was killed. */
export interface ProgramResult {
  readonly code: number | undefined;
  readonly output: string;
}

interface ProgramOptions {
  /** The user who runs the program; undefined for the current user. */
  readonly user: ServerUser | undefined;
  readonly input?: string;
  /** Directory in which the program starts. Default: the root directory. */
  readonly directory?: string;
  readonly deadlineMs: number;
  /** Abort this signal to kill the program. */
  readonly giveUp?: AbortSignal;
}

/**
 * Returns the options for starting the server's programs. The programs do not get the environment of the caller
 * (`PGDATA`, `PGPORT`, locale). They start in a directory that is entered before the rights of root are dropped.
 */
export function spawnOptionsFor(user: ServerUser | undefined, directory = '/'): SpawnOptions {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: directory, env, ...(user && { uid: user.uid, gid: user.gid }) };
}

/** Runs a program to its end, or kills the program at the deadline. Never rejects. */
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
    // If a program ends without reading its input, the pipe breaks. Its exit code is enough to notice that.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Service accounts that can run the server. The preferred account comes first. */
const SERVICE_ACCOUNTS = ['postgres', 'nobody'];

/**
 * Chooses the account for PostgreSQL, which refuses to run as root. Returns undefined for the current user, if that
 * user is not root. If it is root, returns the owner of existing data, otherwise the owner of the home, otherwise a
 * service account.
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
  // initdb looks up the account of its user, so an owner without an account cannot be used.
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

/** Parses text in the format of /etc/passwd. */
export function parsePasswd(text: string): ServerUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid || !/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

export interface DataDirectory {
  /** Real path of the data directory. Programs that use the directory start in it. */
  readonly directory: string;
  /** Path that the user of the server can use. That user may not be allowed to enter the real path. */
  readonly visibleAs: string;
}

/** The current directory of the process that opens this path. */
const OWN_DIRECTORY = '/proc/self/cwd';

/**
 * Returns the path by which the user of the server can open a data directory. This works even below a directory that
 * only root may enter, such as a checkout in /root: the server then starts inside its data directory and uses its
 * current directory. The alternative, to store the data elsewhere with a link in the home, was rejected, because the
 * data would remain when the home is deleted.
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
