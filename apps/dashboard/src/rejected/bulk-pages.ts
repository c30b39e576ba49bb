import { escapeHtml } from '@takt/pages';
import { agoOf, countOf, numberOf, spanOf } from '../pages/words.js';
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
    effect:
      'They are put back among the waiting jobs as they are. What still breaks a rule is rejected again.',
  },
  discard: {
    verb: 'Discard',
    effect: 'They are gone for good and count nowhere. Nobody can bring them back.',
  },
} as const;

/** What is about to happen to how many, and the button that does it. */
export function writeConfirmation({ action, filter, count, untilMs, base }: Confirmation): string {
  const { verb, effect } = WORDS[action];
  const inputs = [...writeFilter(filter), ['action', action] as const, ['until', String(untilMs)] as const]
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  const chosen = [...filter.fields, ...(filter.text === '' ? [] : [['text', filter.text] as const])]
    .map(
      ([name, value]) =>
        `<div><dt>${name === 'rule' ? 'reason' : name}</dt><dd>${escapeHtml(value)}</dd></div>`,
    )
    .join('');
  const back = escapeHtml(`${base}/rejected?${writeFilter(filter)}`);
  return (
    `<div class="error confirm"><h1>${verb} ${countOf(count, 'rejected event')}?</h1><p>${effect}</p>` +
    (chosen === '' ? '<p>No filter is set: these are all that you see.</p>' : `<dl>${chosen}</dl>`) +
    '<p class="note">What is rejected from now on is left alone.</p>' +
    `<form method="post" action="${base}/rejected/bulk">${inputs}` +
    `<button class="${action === 'discard' ? 'danger' : 'primary'}" type="submit">${verb} ${numberOf(count)}</button> ` +
    `<a href="${back}">Go back, change nothing</a></form></div>`
  );
}

/** How far a run has come, or how it ended. */
export function writeRun(run: BulkRun, base: string): string {
  const { action, total, changed, gone, unreadable, endedAtMs, startedAtMs, problem } = run;
  const done = action === 'retry' ? 'retried' : 'discarded';
  const isRunning = endedAtMs === undefined;
  const heading = isRunning
    ? `${action === 'retry' ? 'Retrying' : 'Discarding'} …`
    : `${countOf(changed, 'event')} ${done}`;
  const left = total - gone - unreadable - changed;
  const lines = [
    isRunning
      ? `${numberOf(changed)} of ${numberOf(total)} ${done} so far, begun ${agoOf(startedAtMs)}.`
      : '',
    gone === 0 ? '' : `${countOf(gone, 'event')} had gone meanwhile: somebody else was faster.`,
    unreadable === 0
      ? ''
      : `${countOf(unreadable, 'job')} cannot be read, and so not be retried: discard ${unreadable === 1 ? 'it' : 'them'}.`,
    problem === undefined
      ? ''
      : `It ended early: ${escapeHtml(problem)}. ${numberOf(Math.max(0, left))} stay rejected.`,
    isRunning ? '' : `It took ${spanOf((endedAtMs - startedAtMs) / 1_000)}.`,
  ];
  const progress = isRunning
    ? `<progress max="${total}" value="${changed + gone + unreadable}" aria-label="Progress"></progress>`
    : '';
  const next = isRunning
    ? `<p><a href="${base}/rejected/run?id=${run.id}">Look again</a></p>`
    : `<p><a href="${base}/rejected">Rejected events</a></p>`;
  const reload = isRunning ? ' data-reload="1"' : '';
  return (
    `<div class="error confirm"${reload}><h1>${heading}</h1>${progress}` +
    `${lines
      .filter((line) => line !== '')
      .map((line) => `<p>${line}</p>`)
      .join('')}${next}</div>`
  );
}
