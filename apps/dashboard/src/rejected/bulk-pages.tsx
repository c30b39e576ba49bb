import { eventFieldPaths } from '@takt/events/internal';
import type { Markup, WithChildren } from '@takt/pages';
import type { FieldCorrection, RejectionFilter } from '@takt/rejections';
import { concealWords } from '../concealed.js';
import { End, Facts, Note, WideTable } from '../pages/parts.js';
import type { Person } from '../visit.js';
import type { Words } from '../words.js';
import type { BulkAction, BulkRun } from './bulk-runs.js';
import { isEmpty, NONE, writeFilter } from './filter.js';

interface Confirmation {
  readonly action: 'retry' | 'discard' | 'correct';
  readonly filter: RejectionFilter;
  readonly count: number;
  /** Instant in ISO 8601. Events that were rejected after it are not changed. */
  readonly until: string;
  /** The field that most of the events have wrong; undefined if it is unknown. */
  readonly field: string | undefined;
  readonly base: string;
  readonly words: Words;
}

const TEXTS = {
  retry: { doing: 'retrying', soFar: 'retriedSoFar', done: 'retriedMany' },
  discard: { doing: 'discarding', soFar: 'discardedSoFar', done: 'discardedMany' },
  try: { doing: 'checking', soFar: 'checkedSoFar', done: 'wouldBeValid' },
  correct: { doing: 'correcting', soFar: 'correctedSoFar', done: 'correctedMany' },
  undo: { doing: 'undoing', soFar: 'undoneSoFar', done: 'undoneMany' },
} as const;

const CONFIRMED = {
  retry: { heading: 'retryMany', effect: 'retryEffect', button: 'retryCount' },
  discard: { heading: 'discardMany', effect: 'discardEffect', button: 'discardCount' },
  correct: { heading: 'correctMany', effect: 'correctEffect', button: 'checkCount' },
} as const;

/**
 * Returns the page that asks for confirmation before many events are changed. A correction is checked first, without
 * changing anything.
 */
export function confirmationPage(confirmation: Confirmation): Markup {
  const { action, filter, count, until, field, base, words } = confirmation;
  const { say } = words;
  const texts = CONFIRMED[action];
  const task = action === 'correct' ? 'try' : action;
  return (
    <div class="error confirm">
      <h1>{say(texts.heading, words.count('RejectedEvent', count))}</h1>
      <p>{say(texts.effect)}</p>
      <Chosen filter={filter} words={words} />
      <Note>{say('leftAlone')}</Note>
      <OrderForm action={task} chosenBy={writeFilter(filter)} until={until} base={base}>
        {action === 'correct' && <CorrectionFields field={field} words={words} />}
        <button class={action === 'discard' ? 'danger' : 'primary'} type="submit">
          {say(texts.button, words.number(count))}
        </button>{' '}
        <a href={`${base}/rejected?${writeFilter(filter)}`}>{say('goBack')}</a>
      </OrderForm>
    </div>
  );
}

/** Shows the filter that selects the events and, for a correction, the field with its new value. */
function Chosen({
  filter,
  correction,
  words: { say },
}: {
  readonly filter: RejectionFilter;
  readonly correction?: FieldCorrection;
  readonly words: Words;
}): Markup {
  const rows: (readonly [string, string])[] = [...(filter.fields ?? [])].map(([field, value]) => [
    say(field === 'rule' ? 'reason' : field),
    value ?? NONE,
  ]);
  if (filter.text !== undefined) rows.push([say('text'), filter.text]);
  if (correction !== undefined) {
    rows.push([say('field'), correction.field], [say('newValue'), correction.value]);
  }
  if (rows.length > 0) return <Facts rows={rows} />;
  return <p>{say(isEmpty(filter) ? 'noFilter' : 'selectedOnly')}</p>;
}

interface OrderFormProps extends WithChildren {
  readonly action: Exclude<BulkAction, 'undo'>;
  readonly chosenBy: URLSearchParams;
  readonly until: string;
  readonly base: string;
}

/** The form that starts a run. The run changes the events that match a filter and were rejected up to an instant. */
function OrderForm({ action, chosenBy, until, base, children }: OrderFormProps): Markup {
  const posted = [...chosenBy, ['action', action] as const, ['until', until] as const];
  return (
    <form class="correct" method="post" action={`${base}/rejected/bulk`}>
      {posted.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

function CorrectionFields({ field, words: { say } }: Pick<Confirmation, 'field' | 'words'>): Markup {
  return (
    <p class="field-row">
      <label>
        {say('field')}{' '}
        <select name="field">
          {eventFieldPaths.map((path) => (
            <option value={path} selected={path === (field ?? 'data.database')}>
              {path}
            </option>
          ))}
        </select>
      </label>
      <label>
        {say('newValue')}{' '}
        <input
          type="text"
          name="value"
          maxlength={400}
          required
          spellcheck={false}
          autocapitalize="none"
          autocomplete="off"
        />
      </label>
    </p>
  );
}

interface RunPageProps {
  readonly run: BulkRun;
  readonly person: Person;
  /** False if workers have taken all corrections of the run. */
  readonly hasUndo: boolean;
  readonly base: string;
  readonly words: Words;
}

/** Returns the page that shows the progress of a run, or its result and the next steps. */
export function runPage(page: RunPageProps): Markup {
  const { run, base, words } = page;
  const isRunning = run.endedAtMs === undefined;
  return (
    <div class="error confirm" data-reload={isRunning ? '1' : undefined}>
      {isRunning ? <Running run={run} words={words} /> : <Ended {...page} />}
      <p>
        {isRunning ? (
          <a href={`${base}/rejected/run?id=${run.id}`}>{words.say('lookAgain')}</a>
        ) : (
          <>
            {run.task.action === 'try' && (
              <a href={`${base}/rejected/bulk?${writeFilter(run.filter)}&action=correct`}>
                {words.say('goBack')}
              </a>
            )}{' '}
            <a href={`${base}/rejected?${run.task.action === 'try' ? writeFilter(run.filter) : ''}`}>
              {words.say('rejectedEvents')}
            </a>
          </>
        )}
      </p>
    </div>
  );
}

function Running({ run, words }: LeftOutProps): Markup {
  const { task, total, changed, gone, invalid, taken, startedAtMs } = run;
  const { say, number, ago } = words;
  const handled = changed + gone + invalid + taken;
  const done = task.action === 'try' ? handled : changed;
  return (
    <>
      <h1>{say(TEXTS[task.action].doing)}</h1>
      <progress max={total} value={handled} aria-label={say('progress')} />
      <p>{say(TEXTS[task.action].soFar, number(done), number(total), ago(startedAtMs))}</p>
      <LeftOut run={run} words={words} />
    </>
  );
}

function Ended(page: RunPageProps): Markup {
  const { run, person, words } = page;
  const { task, changed, startedAtMs, endedAtMs = startedAtMs } = run;
  const { say } = words;
  return (
    <>
      <h1>{say(TEXTS[task.action].done, words.count('Event', changed))}</h1>
      {'correction' in task && (
        <Chosen filter={run.filter} correction={readableCorrection(task.correction, person)} words={words} />
      )}
      <LeftOut run={run} words={words} />
      <Rules run={run} words={words} />
      <p>{say('itTook', words.span((endedAtMs - startedAtMs) / 1_000))}</p>
      {changed > 0 && <NextStep {...page} />}
    </>
  );
}

/** Returns the correction as a session may see it that has fewer duties than the one that started the run. */
function readableCorrection({ field, value }: FieldCorrection, { duties }: Person): FieldCorrection {
  const shown = concealWords(field, duties);
  return { field, value: shown === field ? value : shown };
}

/** Offers the next step. After a check it is the correction; after a correction or a discard it is the undo. */
function NextStep({ run, hasUndo, base, words }: RunPageProps): Markup | null {
  const { id, task, changed } = run;
  const { say, number } = words;
  switch (task.action) {
    case 'try':
      return (
        <form class="correct" method="post" action={`${base}/rejected/bulk`}>
          <input type="hidden" name="checked" value={id} />
          <button class="primary" type="submit">
            {say('correctCount', number(changed))}
          </button>
        </form>
      );
    case 'correct':
    case 'discard':
      if (!hasUndo) return null;
      return (
        <UndoForm name="run" value={id} isCorrection={task.action === 'correct'} base={base} words={words} />
      );
    default:
      return null;
  }
}

interface UndoFormProps {
  /** Name of the parameter. It selects one resolved event or all resolved events of a run. */
  readonly name: 'resolved' | 'run';
  readonly value: string;
  readonly isCorrection: boolean;
  readonly base: string;
  readonly words: Words;
}

export function UndoForm({ name, value, isCorrection, base, words: { say } }: UndoFormProps): Markup {
  return (
    <form method="post" action={`${base}/rejected/${name === 'run' ? 'run/undo' : 'undo'}`}>
      <input type="hidden" name={name} value={value} />
      <button type="submit">{say('undo')}</button>
      {name === 'run' && <Note>{say(isCorrection ? 'undoCorrectionHint' : 'undoDiscardHint')}</Note>}
    </form>
  );
}

interface LeftOutProps {
  readonly run: BulkRun;
  readonly words: Words;
}

/** Shows the events that were not changed, with the reasons. */
function LeftOut({ run, words: { say, count } }: LeftOutProps): Markup {
  const { total, changed, gone, invalid, taken, problem } = run;
  const left = Math.max(0, total - gone - invalid - taken - changed);
  return (
    <>
      {invalid > 0 && <p>{say('stillInvalid', count('Event', invalid))}</p>}
      {gone > 0 && <p>{say('fasterOther', count('Event', gone))}</p>}
      {taken > 0 && <p>{say('takenMany', count('Event', taken))}</p>}
      {problem !== undefined && <p>{say('endedEarly', say(problem), count('Event', left))}</p>}
    </>
  );
}

const SHOWN_RULES = 8;

/** Shows the rules that events would still break after the correction. */
function Rules({ run: { rules }, words }: LeftOutProps): Markup | null {
  if (rules.size === 0) return null;
  const { say, number } = words;
  const shown = [...rules].sort(([, one], [, other]) => other - one).slice(0, SHOWN_RULES);
  return (
    <WideTable name={say('reasons')} columns={[`>${say('events')}`, say('reason')]} words={words}>
      {shown.map(([rule, count]) => (
        <tr>
          <End>{number(count)}</End>
          <th scope="row" class="reason">
            {rule}
          </th>
        </tr>
      ))}
    </WideTable>
  );
}
