import { escapeHtml, type Markup, ready, render, type WithChildren } from '@takt/pages';
import type { Refusals, Rejection, RejectionFilter, RuleGroup } from '@takt/rejections';
import { Ago, End, Note, Notice, Prose, WideTable } from '../pages/parts.js';
import type { Words } from '../words.js';
import { type EventFigures, FiguresLink } from './figures-link.js';
import { isEmpty, NONE, ONLY_SELECTED, writeFilter } from './filter.js';
import { describeProblems } from './reader.js';
import { RefusalsSection } from './refusals-section.js';

export const PAGE_SIZE = 50;
export const SHOWN_GROUPS = 12;
export const CHOICES = ['company', 'queue', 'type', 'source'] as const;

interface RejectedList {
  /** The events of this page, newest first. */
  readonly events: readonly Rejection[];
  /** True if there are newer or older events than those of this page. */
  readonly newer: boolean;
  readonly older: boolean;
  /** Number of rejected events that the person may see, and number of those that meet the filter. */
  readonly total: number;
  readonly count: number;
  /** Number of further rejected events that the person may not see, because they are of other companies. */
  readonly hidden: number;
  /** The most frequent rules that the events broke, and the number of all rules. */
  readonly groups: readonly RuleGroup[];
  readonly rules: number;
  /** The refusals of the intake in the last days, the most frequent first. */
  readonly refusals: readonly Refusals[];
  readonly choices: ReadonlyMap<(typeof CHOICES)[number], readonly string[]>;
  readonly filter: RejectionFilter;
  readonly base: string;
  readonly words: Words;
  readonly mayOperate: boolean;
  /** Message about the result of the previous change. */
  readonly notice: string | undefined;
  /** The figures that the previous change will change. */
  readonly figures: EventFigures | undefined;
  /** True if the previous change was a discard, which can be undone. */
  readonly isDiscarded: boolean;
  readonly apiUrl: string;
}

/**
 * Returns the content of the list of rejected events: the groups, the filter, the actions for all events, and a page of
 * events.
 */
export function rejectedListPage(list: RejectedList): Markup {
  const { total, hidden, notice, figures, isDiscarded, base, words } = list;
  return (
    <>
      <div class="title">
        <h1>{words.say('rejectedEvents')}</h1>
        <p>
          <a href={`${base}/rejected/resolved`}>{words.say('resolvedEvents')}</a>
        </p>
      </div>
      <Notice text={notice}>
        {figures && <FiguresLink {...list} figures={figures} />}
        {isDiscarded && <a href={`${base}/rejected/resolved`}>{words.say('undo')}</a>}
      </Notice>
      <p class="intro">
        <Prose text={leadOf(list)} />
      </p>
      {total === 0 ? (
        hidden === 0 && <p class="nothing">{words.say('nothingRejected')}</p>
      ) : (
        <>
          <FilterForm {...list} />
          <Reasons {...list} />
          <Results {...list} />
        </>
      )}
      <RefusalsSection {...list} />
    </>
  );
}

function leadOf({ total, hidden, words: { say, number } }: RejectedList): string {
  return [
    total > 0 && say(total === 1 ? 'oneBroke' : 'manyBroke', number(total)),
    hidden > 0 && say(hidden === 1 ? 'oneHidden' : 'manyHidden', number(hidden)),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

/** Returns the rule of a group in the language of the reader. */
export function nameOfRule({ rule, problems }: RuleGroup, words: Words): string {
  return (problems === null ? rule : describeProblems(problems, words, false)) || NONE;
}

function Reasons({ groups, rules, filter, base, words }: RejectedList): Markup | null {
  const { say, number } = words;
  const [first] = groups;
  if (filter.fields?.has('rule') === true) {
    return (
      <p class="selection">
        <strong>{say('reason')}:</strong>{' '}
        {first === undefined ? filter.fields.get('rule') : nameOfRule(first, words)}{' '}
        <a href={`${base}/rejected?${writeFilter(filter, { rule: '' })}`}>{say('allReasons')}</a>
      </p>
    );
  }
  if (first === undefined) return null;
  const others = rules - groups.length;
  return (
    <section aria-labelledby="reasons">
      <h2 id="reasons">{say('why')}</h2>
      <WideTable
        name={say('reasons')}
        columns={[`>${say('events')}`, say('reason'), say('last')]}
        words={words}
      >
        {groups.map((group) => (
          <tr>
            <End>{number(group.count)}</End>
            <th scope="row">
              <a href={`${base}/rejected?${writeFilter(filter, { rule: group.rule })}`}>
                {nameOfRule(group, words)}
              </a>
            </th>
            <td>
              <Ago ms={group.lastAt.getTime()} words={words} />
            </td>
          </tr>
        ))}
      </WideTable>
      {others > 0 && <Note>{say('filterForMore', words.count('Reason', others))}</Note>}
    </section>
  );
}

const ACTIONS = ['correct', 'retry', 'discard'] as const;

function Results(list: RejectedList): Markup {
  const { events, count, newer, older, filter, base, words, mayOperate } = list;
  const { say, number } = words;
  const columns = [
    ...(mayOperate ? [say('selected')] : []),
    say('event'),
    say('company'),
    say('source'),
    say('reason'),
    say('rejected'),
  ];
  const place = (name: 'before' | 'after', event: Rejection | undefined) => {
    const parameters = writeFilter(filter);
    parameters.set(name, event?.place ?? '');
    return `${base}/rejected?${parameters}`;
  };
  return (
    <section class="results" aria-labelledby="results">
      <div class="title">
        <h2 id="results">{say(isEmpty(filter) ? 'allRejected' : 'meetFilter', number(count))}</h2>
        <BulkLinks {...list} />
      </div>
      {events.length === 0 ? (
        <p class="nothing">{say('noneMeets')}</p>
      ) : (
        <SelectionForm {...list}>
          <WideTable name={say('rejectedEvents')} columns={columns} words={words}>
            {ready(events.map((event) => writeRow(event, list)).join(''))}
          </WideTable>
        </SelectionForm>
      )}
      <p class="actions">
        {newer && (
          <a class="button" href={place('after', events[0])}>
            {say('newer')}
          </a>
        )}{' '}
        {older && (
          <a class="button" href={place('before', events.at(-1))}>
            {say('older')}
          </a>
        )}
      </p>
    </section>
  );
}

/** The form in which events are selected, for people who may change them. */
function SelectionForm({ base, words, mayOperate, children }: RejectedList & WithChildren): Markup {
  if (!mayOperate) return <>{children}</>;
  return (
    <form method="get" action={`${base}/rejected/bulk`}>
      <input type="hidden" name={ONLY_SELECTED} value="true" />
      {children}
      <p class="actions">
        {ACTIONS.map((action) => (
          <button type="submit" name="action" value={action}>
            {words.say(`${action}Selected`)}
          </button>
        ))}
      </p>
    </form>
  );
}

function BulkLinks({ count, filter, base, mayOperate, words }: RejectedList): Markup | null {
  if (!mayOperate || count === 0) return null;
  return (
    <p class="actions">
      {ACTIONS.map((action) => {
        const parameters = writeFilter(filter);
        parameters.set('action', action);
        return (
          <>
            <a class="button" href={`${base}/rejected/bulk?${parameters}`}>
              {words.say(`${action}All`, words.number(count))}
            </a>{' '}
          </>
        );
      })}
    </p>
  );
}

/** Writes a row directly as text, because components would take longer than the rest of the page. */
function writeRow(event: Rejection, { base, words, filter, mayOperate }: RejectedList): string {
  const { id, eventId, type, queue, company, source, reason, lastAt, times } = event;
  const name = shortened(eventId ?? String(id));
  const back = writeFilter(filter).toString();
  const address = `${base}/rejected/event?${new URLSearchParams({ id: String(id), ...(back !== '' && { back }) })}`;
  const select = escapeHtml(words.say('selectEvent', name));
  const box = `<td><input type="checkbox" name="event" value="${id}" aria-label="${select}"></td>`;
  const often =
    times > 1 ? ` <span class="note">${escapeHtml(words.say('timesOf', words.number(times)))}</span>` : '';
  return (
    `<tr>${mayOperate ? box : ''}<th scope="row"><a href="${escapeHtml(address)}">${escapeHtml(name)}</a> ` +
    `<span class="note">${escapeHtml(type ?? queue)}</span></th><td>${escapeHtml(company ?? '–')}</td>` +
    `<td>${escapeHtml(shortened(source ?? '–'))}</td><td class="reason">${escapeHtml(reason)}</td>` +
    `<td>${render(<Ago ms={lastAt.getTime()} words={words} />)}${often}</td></tr>`
  );
}

const MAX_SHOWN_CHARACTERS = 60;

function shortened(text: string): string {
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…`;
}

function FilterForm({ choices, filter, base, words }: RejectedList): Markup {
  const { say } = words;
  const rule = filter.fields?.get('rule');
  return (
    <search aria-label={say('rejectedEvents')}>
      <form class="search-bar" method="get" action={`${base}/rejected`}>
        {CHOICES.map((field) => (
          <Choice field={field} values={choices.get(field) ?? []} filter={filter} words={words} />
        ))}
        <label class="wide">
          {say('text')}{' '}
          <input
            type="search"
            name="text"
            value={filter.text ?? ''}
            placeholder={say('textHint')}
            maxlength={200}
            spellcheck={false}
          />
        </label>
        {rule !== undefined && <input type="hidden" name="rule" value={rule ?? NONE} />}
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

interface ChoiceProps extends Pick<RejectedList, 'filter' | 'words'> {
  readonly field: (typeof CHOICES)[number];
  readonly values: readonly string[];
}

/** Offers the values of a field. A value that is already chosen is always among them. */
function Choice({ field, values, filter, words: { say } }: ChoiceProps): Markup {
  const given = filter.fields?.get(field);
  const current = given === null ? NONE : given;
  const offered = current === undefined || values.includes(current) ? values : [...values, current];
  return (
    <label>
      {say(field)}{' '}
      <select name={field}>
        <option value="">{say('any')}</option>
        {offered.map((value) => (
          <option value={value} selected={value === current}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}
