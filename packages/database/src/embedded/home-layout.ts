import { constants } from 'node:fs';
import { access, mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmbeddedServerError, messageOf } from './embedded-server-error.js';

/** The files of one embedded server, all absolute paths. */
export interface HomeLayout {
  readonly home: string;
  /** `home/postgres`, which holds all the others. */
  readonly directory: string;
  readonly password: string;
  /** Remembers the port, so that addresses written down stay right. */
  readonly port: string;
  readonly data: string;
  /** Says how to reach the running guardian. */
  readonly guardian: string;
  readonly log: string;
  /** Holds copies of the programs where those installed cannot be used. */
  readonly binaries: string;
}

/** Creates what is missing of the home's directories and names its files. */
export async function openHome(home: string): Promise<HomeLayout> {
  try {
    await mkdir(home, { recursive: true });
    const realHome = await realpath(home);
    const layout = homeLayout(realHome);
    // Root's server runs as another user, who must get through to the data but may not list what is here.
    await mkdir(layout.directory, { mode: process.getuid?.() === 0 ? 0o711 : 0o700, recursive: true });
    await access(layout.directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return layout;
  } catch (error) {
    throw new EmbeddedServerError(
      `The directory ${resolve(home)} cannot hold the embedded server (${messageOf(error)}): ` +
        'make it writable for this user, or point TAKT_HOME to another directory.',
    );
  }
}

function homeLayout(home: string): HomeLayout {
  const directory = join(home, 'postgres');
  const inside = (name: string) => join(directory, name);
  return {
    home,
    directory,
    password: inside('password'),
    port: inside('port'),
    data: inside('data'),
    guardian: inside('guardian.json'),
    log: inside('server.log'),
    binaries: inside('binaries'),
  };
}
