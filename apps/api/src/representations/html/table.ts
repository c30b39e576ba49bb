import type { Row } from '../page.js';
import type { WriteValue } from './write-value.js';

/** One column of a table: what its heading and its cells hold, as HTML. */
export interface Column {
  /** Columns beside each other with the same group stand under its heading; undefined: under none. */
  readonly group: ColumnGroup | undefined;
  readonly heading: string;
  /** Whether the rows are in the order of this column. */
  readonly sorted: 'ascending' | 'descending' | undefined;
  readonly align: 'start' | 'end';
  readonly write: WriteValue;
}

/** Compared by identity. */
export interface ColumnGroup {
  readonly heading: string;
}

/** A run of columns under one heading, or a single column under none. */
interface Span {
  readonly group: ColumnGroup | undefined;
  readonly columns: readonly Column[];
}

/** The head of a table: one row of headings, or two where columns are grouped. */
export function tableHead(columns: readonly Column[]): string {
  const spans = spansOf(columns);
  const hasGroups = spans.some(({ group }) => group !== undefined);
  const colgroups = spans.map(
    ({ columns: { length } }) => `<colgroup${attributeAbove1('span', length)}></colgroup>`,
  );
  const upper = spans.map((span) => upperHeading(span, hasGroups)).join('');
  const lower = spans
    .filter(({ group }) => group !== undefined)
    .flatMap((span) => span.columns.map((column, index) => heading(column, 'col', '', index === 0)))
    .join('');
  return `${colgroups.join('')}<thead><tr>${upper}</tr>${lower === '' ? '' : `<tr>${lower}</tr>`}</thead>`;
}

/** Writes rows; the tags around the cells are put together once. The first cell is the heading of its row. */
export function rowWriter(columns: readonly Column[]): (row: Row) => string {
  const cells = spansOf(columns).flatMap(({ group, columns: spanned }) =>
    spanned.map((column, index) => ({
      column,
      className: classOf(column, group !== undefined && index === 0),
    })),
  );
  const steps = cells.map(({ column, className }, index) => {
    const end = index === 0 ? '</th>' : '</td>';
    const start = index === 0 ? `<th scope="row"${className}>` : `<td${className}>`;
    return { start, end, write: column.write };
  });
  return (row) => {
    let written = '<tr>';
    for (const { start, end, write } of steps) written += start + write(row) + end;
    return `${written}</tr>\n`;
  };
}

function spansOf(columns: readonly Column[]): readonly Span[] {
  const spans: { group: ColumnGroup | undefined; columns: Column[] }[] = [];
  for (const column of columns) {
    const last = spans.at(-1);
    if (last !== undefined && column.group !== undefined && last.group === column.group) {
      last.columns.push(column);
    } else {
      spans.push({ group: column.group, columns: [column] });
    }
  }
  return spans;
}

function upperHeading({ group, columns }: Span, hasGroups: boolean): string {
  if (group !== undefined) {
    const colspan = attributeAbove1('colspan', columns.length);
    return `<th scope="colgroup" class="group"${colspan}>${group.heading}</th>`;
  }
  return columns.map((column) => heading(column, 'col', hasGroups ? ' rowspan="2"' : '', false)).join('');
}

function heading(column: Column, scope: string, attributes: string, isFirstOfGroup: boolean): string {
  const sorted = column.sorted === undefined ? '' : ` aria-sort="${column.sorted}"`;
  return `<th scope="${scope}"${classOf(column, isFirstOfGroup)}${attributes}${sorted}>${column.heading}</th>`;
}

function classOf({ align }: Column, isFirstOfGroup: boolean): string {
  const names = [align === 'end' ? 'end' : '', isFirstOfGroup ? 'group' : ''].filter((name) => name !== '');
  return names.length === 0 ? '' : ` class="${names.join(' ')}"`;
}

function attributeAbove1(name: string, value: number): string {
  return value > 1 ? ` ${name}="${value}"` : '';
}
