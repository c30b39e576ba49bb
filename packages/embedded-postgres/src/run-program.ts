import { type SpawnOptions, spawn } from 'node:child_process';

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

export interface ProgramOptions {
  /** Undefined runs it as the current user. */
  readonly user: ServerUser | undefined;
  readonly input?: string;
  /** The root directory by default. */
  readonly directory?: string;
  readonly deadlineMs: number;
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
  { user, input = '', directory, deadlineMs }: ProgramOptions,
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
