import type { Markup, WithChildren } from '@takt/pages';

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

/** A text in which backticks enclose code. */
export function Prose({ text }: { readonly text: string }): Markup {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/** 12,345; for people, who read English here. */
export function numberOf(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** `1 event`, `2 events`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${numberOf(count)} ${count === 1 ? one : many}`;
}

const UNITS = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3_600, name: 'h' },
  { seconds: 60, name: 'min' },
] as const;

/** A time span: 0.25 s, 12 s, 3 min, 5 h, 2 d. */
export function spanOf(seconds: number): string {
  if (seconds < 1) return `${seconds.toFixed(2)} s`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const unit = UNITS.find((one) => seconds >= one.seconds);
  return unit === undefined
    ? `${Math.round(seconds)} s`
    : `${Math.floor(seconds / unit.seconds)} ${unit.name}`;
}

/** In ISO 8601; undefined for what is none. */
export function instantOf(ms: number): string | undefined {
  // Beyond this a Date is invalid.
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** 12.3 MB; of 1,000 each. */
export function bytesOf(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const amount = bytes / 1_000 ** power;
  return `${amount.toFixed(amount < 10 && power > 0 ? 1 : 0)} ${BYTE_UNITS[power]}`;
}
