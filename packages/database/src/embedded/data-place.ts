import { EmbeddedServerError } from './embedded-server-error.js';
import { runProgram, type ServerUser } from './run-program.js';

/** A data directory. */
export interface DataPlace {
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
export async function dataPlace(directory: string, user: ServerUser | undefined): Promise<DataPlace> {
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
