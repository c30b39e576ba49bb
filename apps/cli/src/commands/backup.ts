import { fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { BackupError, type BackupReport, writeBackup, writeBackupFile } from '@takt/database/upkeep';
import { TAKT_VERSION } from '@takt/run/version';
import type { Command } from 'commander';
import { type Context, withAdvice, withContext } from '../context.js';
import { CommandError, describeError, isFileError, UsageError } from '../errors.js';
import { withProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';

const HELP = `
The file is one moment of the database. It is compressed, and only its owner can read it, because it holds the hashes that
passwords and tokens are checked with. If the shell makes the file (takt backup - > FILE), its umask decides who can read
it: umask 077 keeps others out. The file does not contain the log-ins of the apps, which belong to the server, and no queues
outside of this database.
Prints: backed up N rows of N tables into FILE.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'the file; - is standard output')
    .addHelpText('after', HELP)
    .action((file: string) => backup(file, terminal));
}

async function backup(file: string, terminal: Terminal): Promise<void> {
  const isStream = file === '-';
  if (isStream && terminal.columns !== undefined) {
    throw new UsageError('a backup is not text: name a file, or pipe it to a program');
  }
  if (isStream && isOpenToOthers(terminal.output())) {
    terminal.say(
      'takt: standard output is a file that others may read, and a backup holds what passwords and tokens are checked ' +
        'with: chmod 600 it, and next time umask 077 before, or name the file',
    );
  }
  const signal = terminal.stopRequest();
  await withContext(terminal, async (context) => {
    const url = await context.databaseUrl();
    const report = await withProgress(terminal, 'rows backed up:', undefined, ({ update }) => {
      const options = {
        url,
        taktVersion: TAKT_VERSION,
        onProgress: update,
        signal,
      };
      const written = isStream ? writeBackup(terminal.output(), options) : writeBackupFile(file, options);
      return withAdvice(
        'database',
        written.catch((error: unknown) => Promise.reject(describe(error, file, signal))),
      );
    });
    const sentence = describeReport(report, isStream ? 'standard output' : file);
    await (isStream ? terminal.say(`takt: ${sentence}`) : terminal.print(sentence));
    await sayWhatIsMissing(context, terminal);
  });
}

/** Returns true for a file that the group or others can read. */
function isOpenToOthers(output: Writable): boolean {
  if (!('fd' in output && typeof output.fd === 'number')) return false;
  const state = fstatSync(output.fd);
  return state.isFile() && (state.mode & 0o044) !== 0;
}

/** Describes an error. If the error concerns the file or its disk, the advice about the database is left out. */
function describe(error: unknown, file: string, { aborted }: AbortSignal): unknown {
  if (aborted) return new CommandError(`it was stopped, no backup was written to ${file}`);
  if (!(isFileError(error) || error instanceof BackupError)) return error;
  return new CommandError(`no backup was written to ${file}`, { cause: error });
}

function describeReport({ rows, tables, bytes, takenAt }: BackupReport, file: string): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  return `backed up ${rows} rows of ${tables} tables into ${file}, ${size}, as of ${takenAt}`;
}

/** Warns if the queues are outside of the database, because the backup file then does not contain their events. */
async function sayWhatIsMissing(context: Context, terminal: Terminal): Promise<void> {
  if (await context.hasQueuesInDatabase()) return;
  const counted = await countEverywhere(context).catch((error: unknown) => describeError(error));
  const jobs =
    typeof counted === 'string'
      ? `it does not answer: ${counted}`
      : `${counted.open} unfinished jobs and ${counted.rejected} rejected events`;
  terminal.say(
    `takt: the queue of QUEUE_URL is not in the backup (${jobs}): back it up with the means of its server`,
  );
}

async function countEverywhere(context: Context) {
  const { names, countJobs } = await context.askQueues();
  const counts = await Promise.all(names.map((name) => countJobs(name)));
  return counts.reduce(
    (sum, { waiting, active, delayed, failed }) => ({
      open: sum.open + waiting + active + delayed,
      rejected: sum.rejected + failed,
    }),
    { open: 0, rejected: 0 },
  );
}
