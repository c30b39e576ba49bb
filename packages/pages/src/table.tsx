import { escapeHtml } from './escape-html.js';
import { type Markup, ready } from './markup.js';

export interface Column<Row> {
  /** The group of the column. Adjacent columns of the same group share its heading; undefined: no group. */
  readonly group?: ColumnGroup | undefined;
  readonly heading: Markup | string;
  /** Name of the column, shown next to the value when a narrow screen shows rows as cards. */
  readonly label: string;
  /** The direction, if the rows are sorted by this column. */
  readonly sorted?: 'ascending' | 'descending' | undefined;
  readonly align: 'start' | 'end';
  /** The content of a cell as HTML; empty content is shown as a dash. */
  readonly write: (row: Row) => string;
  /** Returns the class of a cell. */
  readonly markOf?: ((row: Row) => string) | undefined;
}

/** A heading over several columns. Groups are compared by identity. */
export interface ColumnGroup {
  readonly heading: string;
}

interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly caption: string;
  readonly className: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Returns HTML to show below a row, as wide as the table; empty: nothing is shown. */
  readonly below?: ((row: Row) => string) | undefined;
}

/**
 * A table whose first column has the row headings. On a narrow screen it scrolls or shows cards, depending on its
 * class.
 */
export function Table<Row>({ caption, className, columns, rows, below }: TableProps<Row>): Markup {
  return (
    <section class="scroll" aria-label={caption} tabindex={0}>
      <table class={className}>
        <caption class="vh">{caption}</caption>
        <TableHead columns={columns} />
        <tbody>{ready(writeRows(columns, rows, below))}</tbody>
      </table>
    </section>
  );
}

function TableHead<Row>({ columns }: Pick<TableProps<Row>, 'columns'>): Markup {
  const spans = spansOf(columns);
  const grouped = spans.filter(({ group }) => group !== undefined);
  return (
    <>
      {spans.map(({ columns: { length } }) => (
        <colgroup span={length} />
      ))}
      <thead>
        <tr>
          {spans.map(({ group, columns }) =>
            group === undefined ? (
              columns.map((column) => (
                <Heading column={column} rowspan={grouped.length > 0 ? 2 : undefined} />
              ))
            ) : (
              <th scope="colgroup" class="group" colspan={columns.length}>
                {group.heading}
              </th>
            ),
          )}
        </tr>
        {grouped.length > 0 && (
          <tr>
            {grouped.flatMap(({ columns }) =>
              columns.map((column, index) => <Heading column={column} isFirst={index === 0} />),
            )}
          </tr>
        )}
      </thead>
    </>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly rowspan?: number | undefined;
  /** True for the first column of a group. */
  readonly isFirst?: boolean;
}

function Heading<Row>({ column, rowspan, isFirst = false }: HeadingProps<Row>): Markup {
  return (
    <th
      scope="col"
      class={classOf(column.align === 'end' && 'end', isFirst && 'group')}
      rowspan={rowspan}
      aria-sort={column.sorted}
    >
      {column.heading}
    </th>
  );
}

function classOf(...names: readonly (string | false)[]): string | undefined {
  return names.filter((name) => name !== false).join(' ') || undefined;
}

/** Writes rows as text, because components would take ten times as long. */
function writeRows<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  below: TableProps<Row>['below'] = () => '',
): string {
  const cells = columns.map(cellWriter);
  let written = '';
  for (const row of rows) {
    written += '<tr>';
    for (const write of cells) written += write(row);
    written += '</tr>\n';
    const opened = below(row);
    if (opened !== '') written += `<tr class="below"><td colspan="${columns.length}">${opened}</td></tr>\n`;
  }
  return written;
}

function cellWriter<Row>(column: Column<Row>, index: number, columns: readonly Column<Row>[]) {
  const { align, label, group, write, markOf } = column;
  if (index === 0) return (row: Row): string => `<th scope="row">${write(row)}</th>`;
  const isFirst = group !== undefined && columns[index - 1]?.group !== group;
  const own = classOf(align === 'start' && 'start', isFirst && 'group') ?? '';
  const attributes = ` data-l="${escapeHtml(label)}"${isFirst ? ` data-g="${escapeHtml(group.heading)}"` : ''}`;
  const plain = `<td${own === '' ? '' : ` class="${own}"`}${attributes}>`;
  if (markOf === undefined) return (row: Row): string => `${plain}${write(row)}</td>`;
  const before = `<td class="${own === '' ? '' : `${own} `}`;
  return (row: Row): string => {
    const mark = markOf(row);
    return `${mark === '' ? plain : `${before}${mark}"${attributes}>`}${write(row)}</td>`;
  };
}

/** Adjacent columns under one group heading, or a single column without a group heading. */
interface Span<Row> {
  readonly group: ColumnGroup | undefined;
  readonly columns: readonly Column<Row>[];
}

function spansOf<Row>(columns: readonly Column<Row>[]): readonly Span<Row>[] {
  const spans: { group: ColumnGroup | undefined; columns: Column<Row>[] }[] = [];
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
