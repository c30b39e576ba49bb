import type { Markup } from '@takt/pages';
import { Facts, Note } from '../pages/parts.js';
import type { Words } from '../words.js';
import type { BulkAction, BulkRun } from './bulk-runs.js';
import { type RejectionFilter, writeFilter } from './filter.js';

export interface Confirmation {
  readonly action: BulkAction;
  readonly filter: RejectionFilter;
  readonly count: number;
  /** No event that was rejected later is changed, in ms since 1970. */
  readonly untilMs: number;
  readonly base: string;
  readonly words: Words;
}

const TEXTS = {
  retry: {
    heading: 'retryMany',
    effect: 'retryEffect',
    button: 'retryCount',
    doing: 'retrying',
    soFar: 'retriedSoFar',
    done: 'retriedMany',
  },
  discard: {
    heading: 'discardMany',
    effect: 'discardEffect',
    button: 'discardCount',
    doing: 'discarding',
    soFar: 'discardedSoFar',
    done: 'discardedMany',
  },
} as const;

/** What is about to happen to how many, and the button that does it. */
export function confirmationPage({ action, filter, count, untilMs, base, words }: Confirmation): Markup {
  const { say } = words;
  const texts = TEXTS[action];
  const posted = [...writeFilter(filter), ['action', action] as const, ['until', String(untilMs)] as const];
  const chosen: (readonly [string, string])[] = [...filter.fields].map(([field, value]) => [
    say(field === 'rule' ? 'reason' : field),
    value,
  ]);
  if (filter.text !== '') chosen.push([say('text'), filter.text]);
  return (
    <div class="error confirm">
      <h1>{say(texts.heading, words.count('RejectedEvent', count))}</h1>
      <p>{say(texts.effect)}</p>
      {chosen.length === 0 ? <p>{say('noFilter')}</p> : <Facts rows={chosen} />}
      <Note>{say('leftAlone')}</Note>
      <form method="post" action={`${base}/rejected/bulk`}>
        {posted.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button class={action === 'discard' ? 'danger' : 'primary'} type="submit">
          {say(texts.button, words.number(count))}
        </button>{' '}
        <a href={`${base}/rejected?${writeFilter(filter)}`}>{say('goBack')}</a>
      </form>
    </div>
  );
}

interface RunPageProps {
  readonly run: BulkRun;
  readonly words: Words;
}

/** How far a run has come, or how it ended. */
export function runPage(run: BulkRun, base: string, words: Words): Markup {
  const isRunning = run.endedAtMs === undefined;
  return (
    <div class="error confirm" data-reload={isRunning ? '1' : undefined}>
      {isRunning ? <Running run={run} words={words} /> : <Ended run={run} words={words} />}
      <p>
        {isRunning ? (
          <a href={`${base}/rejected/run?id=${run.id}`}>{words.say('lookAgain')}</a>
        ) : (
          <a href={`${base}/rejected`}>{words.say('rejectedEvents')}</a>
        )}
      </p>
    </div>
  );
}

function Running({ run, words }: RunPageProps): Markup {
  const { action, total, changed, gone, unreadable, startedAtMs } = run;
  const { say, number, ago } = words;
  return (
    <>
      <h1>{say(TEXTS[action].doing)}</h1>
      <progress max={total} value={changed + gone + unreadable} aria-label={say('progress')} />
      <p>{say(TEXTS[action].soFar, number(changed), number(total), ago(startedAtMs))}</p>
      <LeftOut run={run} words={words} />
    </>
  );
}

function Ended({ run, words }: RunPageProps): Markup {
  const { action, changed, startedAtMs, endedAtMs = startedAtMs } = run;
  return (
    <>
      <h1>{words.say(TEXTS[action].done, words.count('Event', changed))}</h1>
      <LeftOut run={run} words={words} />
      <p>{words.say('itTook', words.span((endedAtMs - startedAtMs) / 1_000))}</p>
    </>
  );
}

/** What was not changed, and why. */
function LeftOut({ run: { total, changed, gone, unreadable, problem }, words }: RunPageProps): Markup {
  const { say, count } = words;
  const left = Math.max(0, total - gone - unreadable - changed);
  return (
    <>
      {gone > 0 && <p>{say('fasterOther', count('Event', gone))}</p>}
      {unreadable > 0 && <p>{say('unreadableMany', count('Job', unreadable))}</p>}
      {problem !== undefined && <p>{say('endedEarly', say(problem), count('Event', left))}</p>}
    </>
  );
}
