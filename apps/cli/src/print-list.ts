import { type Column, formatTable } from './table.js';
import type { Terminal } from './terminal.js';

interface ListFormat<Row> {
  readonly columns: readonly Column<Row>[];
  readonly asJson: boolean;
  /** The message that people see if there are no rows. */
  readonly whenEmpty: string;
}

export async function printList<Row>(
  rows: readonly Row[],
  { columns, asJson, whenEmpty }: ListFormat<Row>,
  terminal: Terminal,
): Promise<void> {
  if (asJson) {
    await terminal.print(JSON.stringify(rows));
    return;
  }
  if (rows.length === 0) {
    terminal.say(whenEmpty);
    return;
  }
  for (const line of formatTable(columns, rows, { width: terminal.columns })) await terminal.print(line);
}
