import { constants } from 'node:fs';
import { access, mkdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedServerError, messageOf, systemErrorCode } from './embedded-server-error.js';

/** The files of one embedded server, all absolute paths. */
export interface HomeLayout {
  readonly home: string;
  /** `home/postgres`, which holds all the others. */
  readonly directory: string;
  readonly password: string;
  /** Remembers the port, so that addresses written down stay right. */
  readonly port: string;
  readonly data: string;
  readonly log: string;
  /** Holds copies of the programs where those installed cannot be used. */
  readonly binaries: string;
}

/** Creates what is missing of the home's directories and names its files. */
export async function openHome(home: string): Promise<HomeLayout> {
  try {
    await makeDirectories(resolve(home));
    const realHome = await realpath(home);
    const directory = join(realHome, 'postgres');
    // Root's server runs as another user, who must get through to the data but may not list what is here.
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

/** One by one, for `mkdir` of Node.js with `recursive` never returns where a parent exists that takes no entries, as /proc. */
async function makeDirectories(path: string): Promise<void> {
  try {
    await makeDirectory(path);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeDirectories(dirname(path));
    await makeDirectory(path);
  }
}

async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  await mkdir(path, { mode }).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  });
}
