import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, link, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Thrown if the embedded server is not available. The message says what is wrong and what to do. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

/** Returns the code of a failed system call, such as `ENOENT`; undefined for other errors. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'run Takt as the user who made this TAKT_HOME, or point TAKT_HOME to another directory',
  EPERM: 'run Takt as the user who made this TAKT_HOME, or point TAKT_HOME to another directory',
  EROFS: 'point TAKT_HOME to a directory that can be written to',
  ENOSPC: 'free disk space there',
};

/** Adds advice to an error, unless the error already has advice. */
export function withAdvice(error: unknown, home: string): EmbeddedServerError {
  if (error instanceof EmbeddedServerError) return error;
  const advice = ADVICE[systemErrorCode(error) ?? ''] ?? 'see its log in postgres/server.log there';
  return new EmbeddedServerError(`The embedded server of ${home} failed (${messageOf(error)}): ${advice}.`, {
    cause: error,
  });
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The absolute paths of one embedded server. */
export interface HomeLayout {
  readonly home: string;
  /** The directory `home/postgres`, which contains all other paths. */
  readonly directory: string;
  readonly password: string;
  /** File that stores the port, so that addresses of the server stay valid after a restart. */
  readonly port: string;
  readonly data: string;
  readonly log: string;
  /** Directory for copies of the programs, if the installed programs cannot be used. */
  readonly binaries: string;
}

/** Creates the missing directories of a home and returns the paths. */
export async function openHome(home: string): Promise<HomeLayout> {
  try {
    await makeDirectories(resolve(home));
    const realHome = await realpath(home);
    const directory = join(realHome, 'postgres');
    // If root starts the server, the server runs as another user. That user must be able to enter the directory, but
    // not to list it.
    await makeDirectory(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return {
      home: realHome,
      directory,
      password: join(directory, 'password'),
      port: join(directory, 'port'),
      data: join(directory, 'data'),
      log: join(directory, 'server.log'),
      binaries: join(directory, 'binaries'),
    };
  } catch (error) {
    throw new EmbeddedServerError(
      `The directory ${resolve(home)} cannot hold the embedded server (${messageOf(error)}): ` +
        'make it writable for this user, or point TAKT_HOME to another directory.',
    );
  }
}

/**
 * Creates directories one by one. The recursive `mkdir` of Node.js hangs if a parent directory accepts no entries, as
 * in /proc.
 */
async function makeDirectories(path: string): Promise<void> {
  try {
    await makeDirectory(path);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeDirectories(dirname(path));
    await makeDirectory(path);
  }
}

/** Creates a directory unless it exists already. */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  await mkdir(path, { mode }).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  });
}

/**
 * Returns true if a server of this home is running or was killed. PostgreSQL removes the file when it stops by itself.
 */
export async function hasServer(home: string): Promise<boolean> {
  return (await readIfPresent(join(home, 'postgres', 'data', 'postmaster.pid'))) !== undefined;
}

/** Reads the text of a file. Returns undefined if the file does not exist; rejects for other failures. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns the secret at `path`, which is 256 random bits in hexadecimal by default. The first call creates the secret,
 * and concurrent calls all get the same secret. Only the current user can read it.
 */
export async function readOrCreateSecret(path: string, invent: () => string = inventSecret): Promise<string> {
  const existing = await readIfPresent(path);
  if (existing !== undefined) return existing;
  const temporary = await writeTemporary(path, invent());
  try {
    // Unlike a rename, a link never replaces a secret that another process has just created.
    await link(temporary, path);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(path, 'utf8');
}

function inventSecret(): string {
  return randomBytes(32).toString('hex');
}

/** Replaces a file that only the current user can read. Readers see either the old or the new text, never a part. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await rename(await writeTemporary(path, text), path);
}

async function writeTemporary(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}
