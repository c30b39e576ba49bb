import { addCompany, type Company, CompanyCodeError, listCompanies } from '@takt/figures/master-data';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { UsageError } from '../errors.js';
import { printList } from '../print-list.js';
import type { Column } from '../table.js';
import type { Terminal } from '../terminal.js';

const COLUMNS: readonly Column<Pick<Company, 'code' | 'name'>>[] = [
  { title: 'CODE', value: ({ code }) => code },
  { title: 'NAME', value: ({ name }) => name },
];

export function addCommand(company: Command, terminal: Terminal): void {
  company
    .command('add')
    .description('register a company; safe to repeat')
    .argument('<code>', '1 to 20 capital letters, digits and hyphens, as in TEM-NO')
    .argument('<name>')
    .action((code: string, name: string) => add(code, name, terminal));
  company
    .command('list')
    .description('list the registered companies')
    .option('--json', 'print JSON')
    .action((options: { readonly json?: boolean }) => list(options.json === true, terminal));
}

async function add(code: string, name: string, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const isNew = await addCompany(await context.openDatabase(), code, name).catch((error: unknown) => {
      throw error instanceof CompanyCodeError ? new UsageError(error.message) : error;
    });
    await terminal.print(isNew ? `added ${code}` : `${code} was there already`);
  });
}

async function list(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const companies = await listCompanies(await context.openDatabase());
    const rows = companies.map(({ code, name }) => ({ code, name }));
    const whenEmpty = 'takt: no company is registered: takt company add CODE NAME registers one';
    await printList(rows, { columns: COLUMNS, asJson, whenEmpty }, terminal);
  });
}
