import type { Markup, WithChildren } from './markup.js';

/** Properties of a table. A heading that begins with `>` marks a column of numbers, which is aligned at its end. */
interface PlainTableProps extends WithChildren {
  readonly class: string;
  readonly columns: readonly string[];
}

/** A table of a few rows, which are its children. */
export function PlainTable({ class: kind, columns, children }: PlainTableProps): Markup {
  return (
    <table class={kind}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={column.startsWith('>') ? 'end' : undefined}>
              {column.replace(/^>/, '')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
