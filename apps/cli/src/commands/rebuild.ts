import { nameOfVersion, rebuildProductionTimes } from '@takt/figures';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { withProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option('--database <code>', 'only this company')
    .action((options: { readonly database?: string }) => rebuild(options.database, terminal));
}

async function rebuild(company: string | undefined, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const report = await withProgress(terminal, 'structure versions rebuilt:', undefined, ({ update }) =>
      rebuildProductionTimes(pool, { database: company, onProgress: update }),
    );
    const { structureVersions, repaired } = report;
    await terminal.print(`rebuilt ${structureVersions} structure versions, ${repaired.length} repaired`);
    for (const version of repaired) {
      await terminal.print(`repaired ${version.database} ${nameOfVersion(version)}`);
    }
  });
}
