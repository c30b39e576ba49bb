import { type AuditDifference, auditProductionTimes, nameOfVersion } from '@takt/figures';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { describeError } from '../errors.js';
import { withProgress } from '../progress.js';
import { type Column, formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

interface AuditOptions {
  readonly database?: string;
  readonly json?: boolean;
}

const COLUMNS: readonly Column<AuditDifference>[] = [
  { title: 'DATABASE', value: ({ database }) => database },
  { title: 'STRUCTURE VERSION', value: nameOfVersion, isNumber: true },
  { title: 'MONTH', value: ({ month }) => month ?? 'all' },
  { title: 'FIGURE', value: ({ figure }) => figure },
  { title: 'STORED', value: ({ stored }) => inOneLine(stored), isNumber: true },
  { title: 'RECOMPUTED', value: ({ recomputed }) => inOneLine(recomputed), isNumber: true },
];

function inOneLine(value: string | null): string {
  return value?.replaceAll('\n', ' / ') ?? 'none';
}

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option('--database <code>', 'only this company')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nPrints: audited N structure versions, N differences. Exit code 1 if there are any.',
    )
    .action((options: AuditOptions) => audit(options, terminal));
}

async function audit({ database: company, json }: AuditOptions, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const database = await context.openDatabase();
    const startedAtMs = performance.now();
    const report = await withProgress(terminal, 'structure versions audited:', undefined, ({ update }) =>
      auditProductionTimes(database.pool, { database: company, onProgress: update }),
    );
    const { structureVersions, differences } = report;
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const ended = { structureVersions, differences: differences.length, seconds };
    // The audit also works on a read-only server, such as a replica, but its result cannot be stored there.
    const { noteAudit } = await import('@takt/database/monitoring');
    await noteAudit(database.pool, { database: company ?? null, ...ended }).catch((error: unknown) =>
      terminal.say(`takt: the result of the audit could not be stored: ${describeError(error)}`),
    );
    const sentence = `audited ${structureVersions} structure versions, ${differences.length} differences`;
    if (differences.length > 0) terminal.fail();
    if (json === true) {
      terminal.say(sentence);
      await terminal.print(JSON.stringify(report));
      return;
    }
    await terminal.print(sentence);
    if (differences.length === 0) return;
    for (const line of formatTable(COLUMNS, differences, { width: terminal.columns }))
      await terminal.print(line);
    terminal.say('takt: takt rebuild repairs them');
  });
}
