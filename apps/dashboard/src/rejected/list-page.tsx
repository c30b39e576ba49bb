import type { RejectionFacts } from '@takt/database/rejected-events';
import { escapeHtml, type Markup, ready, render } from '@takt/pages';
import { Ago, countOf, End, Note, numberOf, Table } from '../pages/parts.js';
import {
  type FilterField,
  filterValueOf,
  groupByRule,
  isEmpty,
  meets,
  type RejectionFilter,
  writeFilter,
} from './filter.js';

export const PAGE_SIZE = 50;
const SHOWN_GROUPS = 12;

export interface RejectedList {
  /** All that the person may see, the newest first. */
  readonly visible: readonly RejectionFacts[];
  /** Older ones are left out. */
  readonly isCut: boolean;
  readonly filter: RejectionFilter;
  /** 1 is the first. */
  readonly page: number;
  readonly base: string;
  readonly mayOperate: boolean;
  /** How many more there are, of companies that the person may not see. */
  readonly hidden: number;
  /** What was done before this page was shown. */
  readonly notice: string | undefined;
}

/** The content of the page that lists rejected events: groups, filter, what to do with all, a page of them. */
export function rejectedListPage(list: RejectedList): Markup {
  const { visible, filter, notice } = list;
  const found = isEmpty(filter) ? visible : visible.filter((event) => meets(event, filter));
  return (
    <>
      <div class="title">
        <h1>Rejected events</h1>
      </div>
      {notice !== undefined && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <p class="intro">{leadOf(list)}</p>
      {visible.length === 0 ? (
        <p class="nothing">Nothing is rejected. Events that break a rule will appear here with the reason.</p>
      ) : (
        <>
          <FilterForm {...list} />
          <Reasons {...list} found={found} />
          <Results {...list} found={found} />
        </>
      )}
    </>
  );
}

function leadOf({ visible, isCut, hidden }: RejectedList): string {
  const [count, them] = visible.length === 1 ? ['counts', 'it'] : ['count', 'them'];
  return [
    visible.length > 0 &&
      `${countOf(visible.length, 'event')} broke a rule and ${count} nowhere until somebody corrects, retries or discards ${them}.`,
    isCut && 'Only the newest are listed; deal with them, and older ones follow.',
    hidden > 0 && hiddenOf(hidden),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

/** That there is more than a person may see, and whom to ask. */
export function hiddenOf(count: number): string {
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${numberOf(count)} more ${are} of companies that you may not see, or of none that is registered: ask somebody with the role system-operator about ${them}.`;
}

interface FoundProps extends RejectedList {
  /** What meets the filter. */
  readonly found: readonly RejectionFacts[];
}

function Reasons({ found, filter, base }: FoundProps): Markup | null {
  const rule = filter.fields.get('rule');
  if (rule !== undefined) {
    return (
      <p class="chosen">
        <strong>Reason:</strong> {rule}{' '}
        <a href={`${base}/rejected?${writeFilter(filter, { rule: undefined })}`}>Show all reasons</a>
      </p>
    );
  }
  const byRule = groupByRule(found);
  if (byRule.length === 0) return null;
  const others = byRule.slice(SHOWN_GROUPS);
  const rest = others.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-labelledby="reasons">
      <h2 id="reasons">Why</h2>
      <section class="scroll" tabindex={0} aria-label="Table: reasons">
        <Table class="list" columns={['>Events', 'Reason', 'Last']}>
          {byRule.slice(0, SHOWN_GROUPS).map((group) => (
            <tr>
              <End>{numberOf(group.count)}</End>
              <th scope="row">
                <a href={`${base}/rejected?${writeFilter(filter, { rule: group.rule })}`}>{group.rule}</a>
              </th>
              <td>
                <Ago ms={group.lastAtMs} />
              </td>
            </tr>
          ))}
        </Table>
      </section>
      {others.length > 0 && (
        <Note>
          {countOf(others.length, 'other reason')}, of {countOf(rest, 'event')}: filter to see them.
        </Note>
      )}
    </section>
  );
}

function Results(props: FoundProps): Markup {
  const { found, filter, base } = props;
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, props.page), pages);
  const start = (page - 1) * PAGE_SIZE;
  const shown = found.slice(start, start + PAGE_SIZE);
  const back = writeFilter(filter, { page: String(page) });
  const places = { from: start + 1, to: start + shown.length, of: found.length };
  return (
    <section class="results" aria-labelledby="results">
      <div class="title">
        <h2 id="results">
          {isEmpty(filter) ? 'All rejected events' : 'Rejected events that meet the filter'}:{' '}
          {numberOf(found.length)}
        </h2>
        <BulkLinks {...props} />
      </div>
      {shown.length === 0 ? (
        <p class="nothing">None meets the filter. Clear it, or change it.</p>
      ) : (
        <section class="scroll" tabindex={0} aria-label="Table: rejected events">
          <Table class="list" columns={['Event', 'Company', 'Source', 'Reason', 'Rejected']}>
            {ready(shown.map((event) => writeRow(event, base, back)).join(''))}
          </Table>
        </section>
      )}
      {pages > 1 && <Pager filter={filter} base={base} page={page} pages={pages} places={places} />}
    </section>
  );
}

function BulkLinks({ found, filter, base, mayOperate }: FoundProps): Markup | null {
  if (!mayOperate || found.length === 0) return null;
  const link = (action: 'retry' | 'discard', verb: string) => {
    const parameters = writeFilter(filter);
    parameters.set('action', action);
    return (
      <a class="button" href={`${base}/rejected/bulk?${parameters}`}>
        {verb} all {numberOf(found.length)} …
      </a>
    );
  };
  return (
    <p class="actions">
      {link('retry', 'Retry')} {link('discard', 'Discard')}
    </p>
  );
}

/** A row, put together as text: as components, the rows of a page would take longer than all else of it. */
function writeRow(event: RejectionFacts, base: string, back: URLSearchParams): string {
  const { id, eventId, type, queue, company, source, reason, rejectedAtMs } = event;
  const name = shortened(eventId ?? id.slice(id.indexOf('/') + 1));
  return (
    `<tr><th scope="row"><a href="${escapeHtml(eventPath(base, id, back))}">${escapeHtml(name)}</a>` +
    `<span class="note">${escapeHtml(type ?? queue)}</span></th><td>${escapeHtml(company ?? '–')}</td>` +
    `<td>${escapeHtml(shortened(source ?? '–'))}</td><td class="reason">${escapeHtml(reason)}</td>` +
    `<td>${render(<Ago ms={rejectedAtMs} />)}</td></tr>`
  );
}

const MAX_SHOWN_CHARACTERS = 60;

function shortened(text: string): string {
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…`;
}

/** Where one rejected event is shown. `back`: the parameters of the list that led there. */
function eventPath(base: string, id: string, back: URLSearchParams): string {
  const parameters = new URLSearchParams({ id });
  if (back.size > 0) parameters.set('back', back.toString());
  return `${base}/rejected/event?${parameters}`;
}

interface PagerProps extends Pick<RejectedList, 'filter' | 'base' | 'page'> {
  readonly pages: number;
  readonly places: { readonly from: number; readonly to: number; readonly of: number };
}

function Pager({ filter, base, page, pages, places }: PagerProps): Markup {
  const link = (target: number, name: string) => {
    const isThere = target >= 1 && target <= pages && target !== page;
    const href = `${base}/rejected?${writeFilter(filter, { page: String(target) })}`;
    return <li>{isThere ? <a href={href}>{name}</a> : <span>{name}</span>}</li>;
  };
  return (
    <nav class="pager foot" aria-label="Pages">
      <p>
        {numberOf(places.from)}–{numberOf(places.to)} of {numberOf(places.of)}
      </p>
      <ul>
        {link(1, 'First')}
        {link(page - 1, 'Previous')}
        {link(page + 1, 'Next')}
        {link(pages, 'Last')}
      </ul>
    </nav>
  );
}

const LABELS = { company: 'Company', queue: 'Queue', type: 'Type', source: 'Source' } as const;
/** Sources are as many as producers like. */
const MAX_CHOICES = 200;

interface FilterFormProps {
  readonly visible: readonly RejectionFacts[];
  readonly filter: RejectionFilter;
  readonly base: string;
}

export function FilterForm({ visible, filter, base }: FilterFormProps): Markup {
  const rule = filter.fields.get('rule');
  return (
    <search aria-label="Rejected events">
      <form class="filter" method="get" action={`${base}/rejected`}>
        {(['company', 'queue', 'type', 'source'] as const).map((field) => (
          <Choice field={field} visible={visible} filter={filter} />
        ))}
        <label class="wide">
          Text{' '}
          <input
            type="search"
            name="text"
            value={filter.text}
            placeholder="in reason, ids and payload"
            maxlength={200}
            spellcheck={false}
          />
        </label>
        {rule !== undefined && <input type="hidden" name="rule" value={rule} />}
        <button type="submit">Apply</button>
        {!isEmpty(filter) && (
          <>
            {' '}
            <a href={`${base}/rejected`}>Clear</a>
          </>
        )}
      </form>
    </search>
  );
}

interface ChoiceProps extends Pick<FilterFormProps, 'visible' | 'filter'> {
  readonly field: keyof typeof LABELS;
}

function Choice({ field, visible, filter }: ChoiceProps): Markup {
  return (
    <label>
      {LABELS[field]}{' '}
      <select name={field}>
        <option value="">any</option>
        {choicesOf(field, visible, filter).map((value) => (
          <option value={value} selected={value === filter.fields.get(field)}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What there is to choose among, and what is chosen. */
function choicesOf(
  field: FilterField,
  visible: readonly RejectionFacts[],
  filter: RejectionFilter,
): readonly string[] {
  const values = [...new Set(visible.map((event) => filterValueOf(event, field)))]
    .sort()
    .slice(0, MAX_CHOICES);
  const current = filter.fields.get(field);
  return current === undefined || values.includes(current) ? values : [...values, current];
}
