import { createReadStream } from 'node:fs';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { BackupError, type RestoreReport, restoreBackup, verifyBackupFile } from '@takt/database/upkeep';
import { adoptOldTablesOn } from '@takt/rejections';
import type { Command } from 'commander';
import { type Context, withAdvice, withContext } from '../context.js';
import { CommandError, isFileError } from '../errors.js';
import { withProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';
import { sayWhatIsLeft } from './migrate.js';

const HELP = `
The database must be empty, and no app may use it. The file is read to its end before anything changes. Standard input
cannot be read twice: if it turns out to be damaged, the restore is rolled back and the database stays empty. A backup of
an older version of Takt is brought up to date. Afterwards, takt audit proves the figures.
Prints: restored N rows of N tables.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'a file of takt backup; - is standard input')
    .addHelpText('after', HELP)
    .action((file: string) => restore(file, terminal));
}

async function restore(file: string, terminal: Terminal): Promise<void> {
  const isStream = file === '-';
  const name = isStream ? 'standard input' : file;
  if (!isStream) {
    await withProgress(terminal, 'reading the backup', undefined, () => verifyBackupFile(file)).catch(
      (error: unknown) => Promise.reject(describe(error, name)),
    );
  }
  await withContext(terminal, async (context) => {
    const [url, queueUrl] = [await context.databaseUrl(), await context.queueUrl()];
    const input = isStream ? terminal.input : createReadStream(file);
    const report = await withProgress(terminal, 'rows restored:', undefined, ({ update }) => {
      const restored = restoreBackup(input, {
        url,
        queueUrl,
        synchronise: [...synchroniseServedTexts, adoptOldTablesOn],
        onProgress: update,
      });
      return withAdvice(
        'database',
        restored.catch((error: unknown) => Promise.reject(describe(error, name))),
      );
    });
    const { rows, tables, takenAt } = report;
    await terminal.print(`restored ${rows} rows of ${tables} tables, as of ${takenAt}`);
    if (context.isEmbedded) await context.keepLogins();
    await sayWhatIsToDo(context, report, terminal);
  });
}

function describe(error: unknown, name: string): unknown {
  if (!(isFileError(error) || error instanceof BackupError)) return error;
  return new CommandError(`${name} cannot be restored`, { cause: error });
}

async function sayWhatIsToDo(context: Context, report: RestoreReport, terminal: Terminal): Promise<void> {
  sayWhatIsLeft(report.migration, terminal);
  if (!context.isEmbedded) {
    terminal.say(
      'takt: log-ins of the apps belong to the server: takt login create makes those that are missing',
    );
  }
  if (report.jobs > 0 && !(await context.hasQueuesInDatabase())) {
    terminal.say(
      `takt: ${report.jobs} jobs came with the backup, into queues in the database: run a worker with QUEUE_URL set to the ` +
        'database until they are done, and check takt rejected list with the same setting',
    );
  }
  terminal.say('takt: takt audit proves the figures');
}
