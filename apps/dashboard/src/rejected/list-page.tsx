import type { RejectionFacts } from '@takt/database/rejected-events';
import { escapeHtml, type Markup, ready, render } from '@takt/pages';
import { Ago, End, Note, Notice, Pager, Prose, WideTable } from '../pages/parts.js';
import type { Words } from '../words.js';
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

interface RejectedList {
  /** All rejected events that the person may see, newest first. */
  readonly visible: readonly RejectionFacts[];
  /** Returns the id of an event as the person sees it. */
  readonly shownId: (id: string) => string;
  /** True if older rejected events were left out. */
  readonly isCut: boolean;
  /** Number of further rejected events that the person may not see, because they are of other companies. */
  readonly hidden: number;
  readonly filter: RejectionFilter;
  readonly page: number;
  readonly base: string;
  readonly words: Words;
  readonly mayOperate: boolean;
  /** Message about the result of the previous change. */
  readonly notice: string | undefined;
}

/**
 * Returns the content of the list of rejected events: the groups, the filter, the actions for all events, and a page of
 * events.
 */
export function rejectedListPage(list: RejectedList): Markup {
  const { visible, filter, notice, words } = list;
  const found = isEmpty(filter) ? visible : visible.filter((event) => meets(event, filter));
  return (
    <>
      <div class="title">
        <h1>{words.say('rejectedEvents')}</h1>
        <p>
          <a href={`${list.base}/rejected/resolved`}>{words.say('resolvedEvents')}</a>
        </p>
      </div>
      <Notice text={notice} />
      <p class="intro">
        <Prose text={leadOf(list)} />
      </p>
      {visible.length === 0 ? (
        <p class="nothing">{words.say('nothingRejected')}</p>
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

function leadOf({ visible, isCut, hidden, words: { say, number } }: RejectedList): string {
  const total = visible.length;
  return [
    total > 0 && say(total === 1 ? 'oneBroke' : 'manyBroke', number(total)),
    isCut && say('onlyNewest'),
    hidden > 0 && say(hidden === 1 ? 'oneHidden' : 'manyHidden', number(hidden)),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

interface FoundProps extends RejectedList {
  /** The events that match the filter. */
  readonly found: readonly RejectionFacts[];
}

function Reasons({ found, filter, base, words }: FoundProps): Markup | null {
  const { say, number } = words;
  const rule = filter.fields.get('rule');
  if (rule !== undefined) {
    return (
      <p class="chosen">
        <strong>{say('reason')}:</strong> {rule}{' '}
        <a href={`${base}/rejected?${writeFilter(filter, { rule: undefined })}`}>{say('allReasons')}</a>
      </p>
    );
  }
  const byRule = groupByRule(found);
  if (byRule.length === 0) return null;
  const others = byRule.length - SHOWN_GROUPS;
  return (
    <section aria-labelledby="reasons">
      <h2 id="reasons">{say('why')}</h2>
      <WideTable
        name={say('reasons')}
        columns={[`>${say('events')}`, say('reason'), say('last')]}
        words={words}
      >
        {byRule.slice(0, SHOWN_GROUPS).map((group) => (
          <tr>
            <End>{number(group.count)}</End>
            <th scope="row">
              <a href={`${base}/rejected?${writeFilter(filter, { rule: group.rule })}`}>{group.rule}</a>
            </th>
            <td>
              <Ago ms={group.lastAtMs} words={words} />
            </td>
          </tr>
        ))}
      </WideTable>
      {others > 0 && <Note>{say('filterForMore', words.count('Reason', others))}</Note>}
    </section>
  );
}

function Results(props: FoundProps): Markup {
  const { found, filter, base, words, shownId } = props;
  const { say, number } = words;
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, props.page), pages);
  const start = (page - 1) * PAGE_SIZE;
  const shown = found.slice(start, start + PAGE_SIZE);
  const back = writeFilter(filter, { page: String(page) });
  const places = { from: start + 1, to: start + shown.length, of: found.length };
  const columns = [say('event'), say('company'), say('source'), say('reason'), say('rejected')];
  return (
    <section class="results" aria-labelledby="results">
      <div class="title">
        <h2 id="results">{say(isEmpty(filter) ? 'allRejected' : 'meetFilter', number(found.length))}</h2>
        <BulkLinks {...props} />
      </div>
      {shown.length === 0 ? (
        <p class="nothing">{say('noneMeets')}</p>
      ) : (
        <WideTable name={say('rejectedEvents')} columns={columns} words={words}>
          {ready(shown.map((event) => writeRow(event, { base, back, words, shownId })).join(''))}
        </WideTable>
      )}
      <Pager
        {...{ words, page, pages, places }}
        hrefOf={(target) => `${base}/rejected?${writeFilter(filter, { page: String(target) })}`}
      />
    </section>
  );
}

function BulkLinks({ found, filter, base, mayOperate, words }: FoundProps): Markup | null {
  if (!mayOperate || found.length === 0) return null;
  const link = (action: 'correct' | 'retry' | 'discard') => {
    const parameters = writeFilter(filter);
    parameters.set('action', action);
    return (
      <a class="button" href={`${base}/rejected/bulk?${parameters}`}>
        {words.say(`${action}All`, words.number(found.length))}
      </a>
    );
  };
  return (
    <p class="actions">
      {link('correct')} {link('retry')} {link('discard')}
    </p>
  );
}

interface RowContext extends Pick<RejectedList, 'base' | 'words' | 'shownId'> {
  readonly back: URLSearchParams;
}

/** Writes a row directly as text, because components would take longer than the rest of the page. */
function writeRow(event: RejectionFacts, { base, back, words, shownId }: RowContext): string {
  const { eventId, type, queue, company, source, reason, rejectedAtMs } = event;
  const id = shownId(event.id);
  const name = shortened(eventId ?? id.slice(id.indexOf('/') + 1));
  return (
    `<tr><th scope="row"><a href="${escapeHtml(eventPath(base, id, back))}">${escapeHtml(name)}</a> ` +
    `<span class="note">${escapeHtml(type ?? queue)}</span></th><td>${escapeHtml(company ?? '–')}</td>` +
    `<td>${escapeHtml(shortened(source ?? '–'))}</td><td class="reason">${escapeHtml(reason)}</td>` +
    `<td>${render(<Ago ms={rejectedAtMs} words={words} />)}</td></tr>`
  );
}

const MAX_SHOWN_CHARACTERS = 60;

function shortened(text: string): string {
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…`;
}

/**
 * Returns the address of a rejected event.
 * @param back query parameters of the list to return to
 */
function eventPath(base: string, id: string, back: URLSearchParams): string {
  const parameters = new URLSearchParams({ id });
  if (back.size > 0) parameters.set('back', back.toString());
  return `${base}/rejected/event?${parameters}`;
}

const CHOICES = ['company', 'queue', 'type', 'source'] as const;
/** Maximum number of choices in a filter, because producers may use any number of sources. */
const MAX_CHOICES = 200;

type FilterFormProps = Pick<RejectedList, 'visible' | 'filter' | 'base' | 'words'>;

function FilterForm({ visible, filter, base, words }: FilterFormProps): Markup {
  const { say } = words;
  const rule = filter.fields.get('rule');
  return (
    <search aria-label={say('rejectedEvents')}>
      <form class="filter" method="get" action={`${base}/rejected`}>
        {CHOICES.map((field) => (
          <Choice field={field} visible={visible} filter={filter} words={words} />
        ))}
        <label class="wide">
          {say('text')}{' '}
          <input
            type="search"
            name="text"
            value={filter.text}
            placeholder={say('textHint')}
            maxlength={200}
            spellcheck={false}
          />
        </label>
        {rule !== undefined && <input type="hidden" name="rule" value={rule} />}
        <button type="submit">{say('apply')}</button>
        {!isEmpty(filter) && (
          <>
            {' '}
            <a href={`${base}/rejected`}>{say('clear')}</a>
          </>
        )}
      </form>
    </search>
  );
}

interface ChoiceProps extends Pick<FilterFormProps, 'visible' | 'filter' | 'words'> {
  readonly field: (typeof CHOICES)[number];
}

function Choice({ field, visible, filter, words: { say } }: ChoiceProps): Markup {
  return (
    <label>
      {say(field)}{' '}
      <select name={field}>
        <option value="">{say('any')}</option>
        {choicesOf(field, visible, filter).map((value) => (
          <option value={value} selected={value === filter.fields.get(field)}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns the values that a filter offers. A value that is already chosen is always among them. */
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
