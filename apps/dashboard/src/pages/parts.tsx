import { MIN_PASSWORD_CHARACTERS } from '@takt/access';
import { type Markup, Pager, PlainTable, type WithChildren } from '@takt/pages';
import type { Child } from 'hono/jsx';
import type { DashboardText, Words } from '../words.js';

interface OfInstant {
  /** The instant in ms since 1970. */
  readonly ms: number;
}

export function Ago({ ms, words }: OfInstant & { readonly words: Words }): Markup {
  const text = instantOf(ms);
  if (text === undefined) return <>{words.say('unknown')}</>;
  return (
    <time datetime={text} title={text}>
      {words.ago(ms)}
    </time>
  );
}

/** Shows an instant to the second, in UTC. */
export function Instant({ ms }: OfInstant): Markup {
  const text = instantOf(ms);
  if (text === undefined) return <>–</>;
  return <time datetime={text}>{text.slice(0, 19).replace('T', ' ')} UTC</time>;
}

/** Shows a table that may be wider than the page. */
export function WideTable({ name, columns, words, children }: WideTableProps): Markup {
  return (
    <section class="scroll" tabindex={0} aria-label={words.say('tableOf', name)}>
      <PlainTable class="list" columns={columns}>
        {children}
      </PlainTable>
    </section>
  );
}

interface WideTableProps extends WithChildren {
  readonly name: string;
  readonly columns: readonly string[];
  readonly words: Words;
}

/** A cell in a column of numbers. */
export function End({ children }: WithChildren): Markup {
  return <td class="end">{children}</td>;
}

/** The head of a row, with further text on a second line. For screen readers, a space separates the two texts. */
export function RowHead({ more, children }: WithChildren & { readonly more?: string }): Markup {
  return (
    <th scope="row">
      {children}
      {more !== undefined && (
        <>
          {' '}
          <span class="note">{more}</span>
        </>
      )}
    </th>
  );
}

export function Note({ children }: WithChildren): Markup {
  return <p class="note">{children}</p>;
}

/** The content of a card that has nothing to show. The style hides the card. */
export function Empty({ children }: WithChildren): Markup {
  return <p class="note empty">{children}</p>;
}

/** Shows text in which backticks enclose code and brackets enclose the link to `href`. */
export function Prose({ text, href }: { readonly text: string; readonly href?: string }): Markup {
  const parts = text.split(/(`[^`]*`|\[[^\]]*\])/);
  return (
    <>
      {parts.map((part) => {
        const inner = part.slice(1, -1);
        if (part.startsWith('`')) return <code>{inner}</code>;
        return part.startsWith('[') && href !== undefined ? <a href={href}>{inner}</a> : part;
      })}
    </>
  );
}

interface Tab {
  readonly path: string;
  readonly title: DashboardText;
}

interface TabbedTitleProps {
  readonly heading: string;
  readonly tabs: readonly Tab[];
  readonly current: DashboardText;
  readonly base: string;
  readonly say: Words['say'];
}

/** The heading of a page, with links to the pages that belong together with it. */
export function TabbedTitle({ heading, tabs, current, base, say }: TabbedTitleProps): Markup {
  return (
    <div class="title">
      <h1>{heading}</h1>
      <nav class="tabs" aria-label={heading}>
        <ul>
          {tabs.map(({ path, title }) => (
            <li>
              <a href={base + path} aria-current={title === current ? 'page' : undefined}>
                {say(title)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

const OPERATIONS = [
  { path: '/', title: 'overview' },
  // The queues hold the events of all companies.
  { path: '/queues', title: 'queues', isOfAllCompanies: true },
  { path: '/alarms', title: 'alarmsOfMonth' },
] as const;

interface OperationsTitleProps {
  readonly title: (typeof OPERATIONS)[number]['title'];
  readonly hasAllCompanies: boolean;
  readonly base: string;
  readonly words: Words;
}

export function OperationsTitle({ title, hasAllCompanies, base, words }: OperationsTitleProps): Markup {
  const { say } = words;
  const tabs = OPERATIONS.filter((tab) => hasAllCompanies || !('isOfAllCompanies' in tab));
  return <TabbedTitle heading={say('operations')} tabs={tabs} current={title} base={base} say={say} />;
}

/** The field of a form in which a person chooses a password. */
export function NewPassword({ say }: Pick<Words, 'say'>): Markup {
  return (
    <label>
      {say('newPassword', String(MIN_PASSWORD_CHARACTERS))}{' '}
      <input
        type="password"
        name="password"
        required
        autocomplete="new-password"
        minlength={MIN_PASSWORD_CHARACTERS}
      />
    </label>
  );
}

interface NumberedPagerProps {
  readonly words: Words;
  /** Number of the page, counted from 1. */
  readonly page: number;
  readonly pages: number;
  readonly places: { readonly from: number; readonly to: number; readonly of: number };
  readonly hrefOf: (page: number) => string;
}

/** Links to the other pages of a list whose pages have numbers. Shows nothing if there is a single page. */
export function NumberedPager({ words, page, pages, places, hrefOf }: NumberedPagerProps): Markup | null {
  if (pages <= 1) return null;
  const { say, number, language } = words;
  const [before, after] = [page > 1, page < pages];
  return (
    <nav class="pager foot" aria-label={say('pages')}>
      <Pager
        language={language}
        position={say('rowsOf', number(places.from), number(places.to), number(places.of))}
        first={before ? hrefOf(1) : undefined}
        previous={before ? hrefOf(page - 1) : undefined}
        next={after ? hrefOf(page + 1) : undefined}
        last={after ? hrefOf(pages) : undefined}
      />
    </nav>
  );
}

/** Shows the result of the change after which the page is shown. */
export function Notice({
  text,
  children,
}: Partial<WithChildren> & { readonly text: string | undefined }): Markup | null {
  if (text === undefined) return null;
  return (
    <p class="notice" role="status">
      {text} {children}
    </p>
  );
}

export function Facts({ rows }: { readonly rows: readonly (readonly [string, string | Markup])[] }): Markup {
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Figure {
  readonly name: string;
  readonly value: Child;
  readonly unit?: string;
  readonly isBad?: boolean;
}

/** Shows figures together with their names. */
export function Figures({ all }: { readonly all: readonly Figure[] }): Markup {
  return (
    <dl class="figures">
      {all.map(({ name, value, unit, isBad }) => (
        <div>
          <dt>{name}</dt>
          <dd class={isBad === true ? 'over' : undefined}>
            {value}
            {unit !== undefined && (
              <>
                {' '}
                <span class="unit">{unit}</span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the time in ISO 8601; undefined if the time is invalid. */
export function instantOf(ms: number): string | undefined {
  // A Date cannot represent larger values.
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}
