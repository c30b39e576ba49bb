import { escapeHtml } from './escape-html.js';
import { type Markup, ready } from './markup.js';

export interface Column<Row> {
  /**
   * The group to which the column belongs. Adjacent columns of the same group share the heading of the group. undefined
   * if the column belongs to no group.
   */
  readonly group?: ColumnGroup | undefined;
  readonly heading: Markup | string;
  /** The name of the column. It is shown next to the value if a narrow screen shows the rows as cards. */
  readonly label: string;
  /** The direction in which the rows are sorted by this column; undefined if they are not sorted by it. */
  readonly sorted?: 'ascending' | 'descending' | undefined;
  readonly align: 'start' | 'end';
  /** Writes the content of a cell as HTML. If the content is empty, a dash is shown. */
  readonly write: (row: Row) => string;
  /** Returns the class of a row's cell in this column. */
  readonly markOf?: ((row: Row) => string) | undefined;
}

/** A heading above several columns. Two columns have the same group only if their group is the same object. */
export interface ColumnGroup {
  readonly heading: string;
}

interface TableProps<Row> {
  /** The name of the table for screen readers. */
  readonly caption: string;
  readonly className: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Returns the HTML that is shown below a row, in the whole width of the table. If it is empty, nothing is shown. */
  readonly below?: ((row: Row) => string) | undefined;
}

/**
 * A table. The cells of the first column are the headings of the rows. On a narrow screen the table can be scrolled, or
 * shows its rows as cards; this depends on its class.
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

/** Writes the rows as text. Components would take ten times as long. */
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

/** Adjacent columns below the heading of their group, or a single column that belongs to no group. */
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
