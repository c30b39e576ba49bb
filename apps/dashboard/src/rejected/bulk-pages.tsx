import type { Markup } from '@takt/pages';
import { Ago, countOf, Note, numberOf, spanOf } from '../pages/parts.js';
import type { BulkAction, BulkRun } from './bulk-runs.js';
import { type RejectionFilter, writeFilter } from './filter.js';

export interface Confirmation {
  readonly action: BulkAction;
  readonly filter: RejectionFilter;
  readonly count: number;
  /** No event that was rejected later is changed, in ms since 1970. */
  readonly untilMs: number;
  readonly base: string;
}

const WORDS = {
  retry: {
    verb: 'Retry',
    done: 'retried',
    effect:
      'They are put back among the waiting jobs as they are. What still breaks a rule is rejected again.',
  },
  discard: {
    verb: 'Discard',
    done: 'discarded',
    effect: 'They are gone for good and count nowhere. Nobody can bring them back.',
  },
} as const;

/** What is about to happen to how many, and the button that does it. */
export function confirmationPage({ action, filter, count, untilMs, base }: Confirmation): Markup {
  const { verb, effect } = WORDS[action];
  const posted = [...writeFilter(filter), ['action', action] as const, ['until', String(untilMs)] as const];
  const chosen = [...filter.fields, ...(filter.text === '' ? [] : [['text', filter.text] as const])];
  return (
    <div class="error confirm">
      <h1>
        {verb} {countOf(count, 'rejected event')}?
      </h1>
      <p>{effect}</p>
      {chosen.length === 0 ? (
        <p>No filter is set: these are all that you see.</p>
      ) : (
        <dl>
          {chosen.map(([name, value]) => (
            <div>
              <dt>{name === 'rule' ? 'reason' : name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Note>What is rejected from now on is left alone.</Note>
      <form method="post" action={`${base}/rejected/bulk`}>
        {posted.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button class={action === 'discard' ? 'danger' : 'primary'} type="submit">
          {verb} {numberOf(count)}
        </button>{' '}
        <a href={`${base}/rejected?${writeFilter(filter)}`}>Go back, change nothing</a>
      </form>
    </div>
  );
}

/** How far a run has come, or how it ended. */
export function runPage(run: BulkRun, base: string): Markup {
  const isRunning = run.endedAtMs === undefined;
  return (
    <div class="error confirm" data-reload={isRunning ? '1' : undefined}>
      {isRunning ? <Running {...run} /> : <Ended {...run} />}
      <p>
        {isRunning ? (
          <a href={`${base}/rejected/run?id=${run.id}`}>Look again</a>
        ) : (
          <a href={`${base}/rejected`}>Rejected events</a>
        )}
      </p>
    </div>
  );
}

function Running(run: BulkRun): Markup {
  const { action, total, changed, gone, unreadable, startedAtMs } = run;
  return (
    <>
      <h1>{action === 'retry' ? 'Retrying' : 'Discarding'} …</h1>
      <progress max={total} value={changed + gone + unreadable} aria-label="Progress" />
      <p>
        {numberOf(changed)} of {numberOf(total)} {WORDS[action].done} so far, begun <Ago ms={startedAtMs} />.
      </p>
      <LeftOut {...run} />
    </>
  );
}

function Ended(run: BulkRun): Markup {
  const { action, changed, startedAtMs, endedAtMs = startedAtMs } = run;
  return (
    <>
      <h1>
        {countOf(changed, 'event')} {WORDS[action].done}
      </h1>
      <LeftOut {...run} />
      <p>It took {spanOf((endedAtMs - startedAtMs) / 1_000)}.</p>
    </>
  );
}

/** What was not changed, and why. */
function LeftOut({ total, changed, gone, unreadable, problem }: BulkRun): Markup {
  const left = Math.max(0, total - gone - unreadable - changed);
  return (
    <>
      {gone > 0 && <p>{countOf(gone, 'event')} had gone meanwhile: somebody else was faster.</p>}
      {unreadable > 0 && (
        <p>
          {countOf(unreadable, 'job')} cannot be read, and so not be retried: discard{' '}
          {unreadable === 1 ? 'it' : 'them'}.
        </p>
      )}
      {problem !== undefined && (
        <p>
          It ended early: {problem}. {numberOf(left)} stay rejected.
        </p>
      )}
    </>
  );
}
