import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readIfPresent, readOrCreateSecret } from './files.js';

/** Thrown if the embedded server is not available. The message says what is wrong and what to do. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

/** The absolute paths of one embedded server. */
export interface Home {
  readonly home: string;
  /** Contains all other paths: `home/postgres`. */
  readonly directory: string;
  readonly data: string;
  readonly log: string;
  /** File with the port, so that the address of the server stays the same when it is started again. */
  readonly port: string;
  readonly password: string;
}

/** Creates the missing directories of a home. Returns its paths, without symbolic links. */
export async function openHome(path: string): Promise<Home> {
  try {
    await mkdir(resolve(path), { recursive: true });
    const home = await realpath(path);
    const directory = join(home, 'postgres');
    // The user of a server that root starts must be able to enter the directory, but not to list it.
    await mkdir(directory, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 }).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const inside = (name: string) => join(directory, name);
    return {
      home,
      directory,
      data: inside('data'),
      log: inside('server.log'),
      port: inside('port'),
      password: inside('password'),
    };
  } catch (error) {
    throw new EmbeddedServerError(
      `The directory ${resolve(path)} cannot hold the embedded server (${messageOf(error)}): ` +
        'make it writable for this user, or point TAKT_HOME to another directory.',
    );
  }
}

/** Returns the password of the superuser. It is created together with the data, and kept in a file for this user alone. */
export async function passwordOf({ directory, data, password }: Home): Promise<string> {
  const kept = await readIfPresent(password);
  if (kept !== undefined) return kept;
  if ((await readIfPresent(join(data, 'PG_VERSION'))) === undefined) {
    return readOrCreateSecret(password, () => randomBytes(32).toString('hex'));
  }
  throw new EmbeddedServerError(
    `The password file ${password} is missing, although ${data} exists: bring it back, ` +
      `or remove ${directory} to begin with an empty database.`,
  );
}

/** Returns true if a server of this home is running or was killed. PostgreSQL removes the file when it stops by itself. */
export async function hasServer(home: string): Promise<boolean> {
  return (await readIfPresent(join(home, 'postgres', 'data', 'postmaster.pid'))) !== undefined;
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
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const advice = ADVICE[code] ?? 'see its log in postgres/server.log there';
  return new EmbeddedServerError(`The embedded server of ${home} failed (${messageOf(error)}): ${advice}.`, {
    cause: error,
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
