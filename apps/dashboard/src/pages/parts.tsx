import type { Markup, WithChildren } from '@takt/pages';
import { instantOf, spanOf } from './words.js';

interface OfInstant {
  /** Since 1970. */
  readonly ms: number;
}

/** How long ago an instant was; the machine's clock counts. */
export function Ago({ ms }: OfInstant): Markup {
  const text = instantOf(ms);
  if (text === undefined) return <>unknown</>;
  return (
    <time datetime={text} title={text}>
      {spanOf(Math.max(0, (Date.now() - ms) / 1_000))} ago
    </time>
  );
}

/** An instant to the second, in UTC. */
export function Instant({ ms }: OfInstant): Markup {
  const text = instantOf(ms);
  if (text === undefined) return <>unknown</>;
  return <time datetime={text}>{text.slice(0, 19).replace('T', ' ')} UTC</time>;
}

/** A column that numbers stand in begins with `>` and is aligned to its end. */
interface TableProps extends WithChildren {
  readonly class: string;
  readonly columns: readonly string[];
}

/** A table around its rows. */
export function Table({ class: kind, columns, children }: TableProps): Markup {
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

/** A cell of a column of numbers. */
export function End({ children }: WithChildren): Markup {
  return <td class="end">{children}</td>;
}

export function Note({ children }: WithChildren): Markup {
  return <p class="note">{children}</p>;
}
