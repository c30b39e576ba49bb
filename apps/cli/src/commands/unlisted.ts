import { describeAway, findAwayCompanies } from '@takt/database';
import { listUnlistedStructureVersions, nameOfVersion, type UnlistedStructureVersion } from '@takt/figures';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { type Column, formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

interface ListOptions {
  readonly database?: string;
  readonly json?: boolean;
}

const COLUMNS: readonly Column<UnlistedStructureVersion>[] = [
  { title: 'DATABASE', value: ({ database }) => database },
  { title: 'STRUCTURE VERSION', value: nameOfVersion, isNumber: true },
  { title: 'OPERATIONS', value: ({ operations }) => String(operations), isNumber: true },
];

const HELP = `
These operations count, but no list shows them until a product-structure-version.changed.v1 event announces their
structure version.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .command('list')
    .description('count these operations by structure version')
    .option('--database <code>', 'only this company')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: ListOptions) => list(options, terminal));
}

async function list({ database, json = false }: ListOptions, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const versions: UnlistedStructureVersion[] = [];
    const away = database === undefined ? await findAwayCompanies(pool) : [];
    if (away.length > 0) terminal.say(`takt: ${describeAway(away)}`);
    const without = away.map(({ code }) => code);
    for await (const page of listUnlistedStructureVersions(pool, { only: database, without }))
      versions.push(...page);
    if (json) {
      await terminal.print(JSON.stringify(versions));
    } else if (versions.length > 0) {
      const table = formatTable(COLUMNS, versions, { width: terminal.columns });
      for (const line of table) await terminal.print(line);
    }
    const operations = versions.reduce((sum, version) => sum + version.operations, 0);
    terminal.say(
      versions.length === 0
        ? 'takt: no operation waits for the master data of its structure version'
        : `takt: ${operations} operations wait for ${versions.length} structure versions: ` +
            'publish a product-structure-version.changed.v1 event of each',
    );
  });
}
