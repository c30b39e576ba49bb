import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedServerError, systemErrorCode } from './embedded-server-error.js';
import type { Binaries } from './prepare-binaries.js';
import { runProgram, type ServerUser } from './run-program.js';
import { type DataDirectory, dataDirectoryFor } from './server-user.js';

/** The superuser and the database of every embedded server. */
export const EMBEDDED_NAME = 'takt';

export interface ClusterOptions {
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly password: string;
  /** False leaves out the flush to disk, for servers that are thrown away. */
  readonly durable: boolean;
}

const STEP_DEADLINE_MS = 120_000;
const ABANDONED_AFTER_MS = 600_000;

const ACCESS_RULES = 'host all all 127.0.0.1/32 scram-sha-256\n';

const INITDB_ARGUMENTS = [
  `--username=${EMBEDDED_NAME}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  // Nobody gets in before the rules below are written.
  '--auth=reject',
  '--no-sync',
  '--no-instructions',
];

/**
 * Creates a data directory with its superuser, password and database, complete or not at all: it is made beside
 * `directory` and renamed into place. Of several who try at once one wins and the others discard their own.
 */
export async function createCluster(directory: string, options: ClusterOptions): Promise<void> {
  await removeAbandoned(directory);
  const temporary = `${directory}.new-${randomBytes(6).toString('hex')}`;
  await mkdir(temporary, { mode: 0o700 });
  try {
    if (options.user) await chown(temporary, options.user.uid, options.user.gid);
    await fill(await dataDirectoryFor(temporary, options.user), options);
    await rename(temporary, directory);
    if (options.durable) await syncDirectory(dirname(directory));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemErrorCode(error) ?? '')) throw error;
  }
}

async function fill(
  data: DataDirectory,
  { binaries, user, password, durable }: ClusterOptions,
): Promise<void> {
  const { directory, visibleAs } = data;
  const step = async (file: string, programArguments: string[], input = '') => {
    const result = await runProgram(file, programArguments, {
      user,
      input,
      directory,
      deadlineMs: STEP_DEADLINE_MS,
    });
    if (result.code !== 0) throw failedStep(file, result.output);
  };
  await step(binaries.initdb, ['-D', visibleAs, ...INITDB_ARGUMENTS]);
  // As the server's user, for root must not write where another user could have put a link.
  await step('/bin/sh', ['-c', 'cat > "$1"', 'sh', join(visibleAs, 'pg_hba.conf')], ACCESS_RULES);
  // The password goes through a pipe: a file for initdb would have to be readable by the server's user.
  await step(
    binaries.postgres,
    ['--single', '-D', visibleAs, '-c', 'fsync=off', 'postgres'],
    `ALTER ROLE ${EMBEDDED_NAME} PASSWORD '${password}';\nCREATE DATABASE ${EMBEDDED_NAME};\n`,
  );
  if (durable) await step(binaries.initdb, ['--sync-only', '-D', visibleAs]);
}

function failedStep(file: string, output: string): EmbeddedServerError {
  const lines = output.trim().split('\n').slice(-15).join('\n');
  const advice = /could not look up effective user/.test(output)
    ? ' The user that runs Takt has no account: add it to /etc/passwd, or run Takt as root or another user.'
    : ' Free disk space and write permission are the usual causes.';
  return new EmbeddedServerError(
    `${basename(file)} could not create the database.${advice} It said:\n${lines}`,
  );
}

/** Removes what a killed creator left behind. */
async function removeAbandoned(directory: string): Promise<void> {
  const parent = dirname(directory);
  const prefix = `${basename(directory)}.new-`;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const changed = await stat(join(parent, name)).catch(() => undefined);
    const abandoned = changed !== undefined && Date.now() - changed.mtimeMs > ABANDONED_AFTER_MS;
    if (abandoned) await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
