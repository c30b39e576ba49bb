import { escapeHtml } from '@takt/pages';
import type { RejectedEvent } from '@takt/rejected-events';
import { timeOf } from '../pages/words.js';

export interface EventPage {
  readonly id: string;
  /** All that share the id: one, mostly. */
  readonly events: readonly RejectedEvent[];
  readonly base: string;
  /** The parameters of the list that led here. */
  readonly back: string;
  readonly mayOperate: boolean;
  /** What was typed as a correction, and why it was not taken; each problem is a line of text. */
  readonly refused?: { readonly text: string; readonly problems: readonly string[] } | undefined;
}

/** The content of the page of one rejected event. */
export function writeEventPage(page: EventPage): string {
  const { id, events, base, back } = page;
  const list = escapeHtml(`${base}/rejected${back === '' ? '' : `?${back}`}`);
  const shared =
    events.length > 1
      ? `<p class="alarm">${events.length} rejected events share this id, because their producer used a job id twice. They can be retried or discarded together, not corrected.</p>`
      : '';
  return (
    `<p class="crumb"><a href="${list}">Rejected events</a></p>` +
    `<div class="title"><h1>${escapeHtml(events[0]?.eventId ?? id)}</h1></div>${shared}` +
    events.map((event) => facts(event)).join('') +
    (page.mayOperate ? changes(page) : readOnly(events))
  );
}

function facts(event: RejectedEvent): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Type', escapeHtml(event.type ?? 'none')],
    ['Source', escapeHtml(event.source ?? 'none')],
    ['Published', timeOf(event.addedAtMs)],
    ['Rejected', timeOf(event.rejectedAtMs)],
    ['Deliveries', String(event.deliveries)],
    [
      'Kept in',
      event.isExported ? 'the database (takt.rejected_events)' : `the queue ${escapeHtml(event.queue)}`,
    ],
    ['Id', `<code>${escapeHtml(event.id)}</code>`],
  ];
  const items = rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`);
  const problems = event.reason
    .split('; ')
    .map((problem) => `<li>${escapeHtml(problem)}</li>`)
    .join('');
  return (
    `<section class="card"><h2>Why it was rejected</h2><ul class="problems">${problems || '<li>No reason was given.</li>'}</ul></section>` +
    `<section class="card"><h2>What is known of it</h2><dl>${items.join('')}</dl></section>`
  );
}

function readOnly(events: readonly RejectedEvent[]): string {
  return (
    events
      .map(
        ({ event }) =>
          `<section class="card"><h2>Payload</h2><pre tabindex="0">${escapeHtml(prettyJson(event))}</pre></section>`,
      )
      .join('') +
    '<p class="note">To correct, retry or discard it needs the duty <code>operate-queues</code>.</p>'
  );
}

function changes({ id, events, base, back, refused }: EventPage): string {
  const hidden = `<input type="hidden" name="id" value="${escapeHtml(id)}"><input type="hidden" name="back" value="${escapeHtml(back)}">`;
  const text = refused?.text ?? prettyJson(events[0]?.event ?? null);
  const problems =
    refused === undefined
      ? ''
      : `<div class="refusal" id="problems" role="alert"><p>It was not sent, because it would be rejected again:</p><ul>${refused.problems
          .map((problem) => `<li>${escapeHtml(problem)}</li>`)
          .join('')}</ul></div>`;
  const rows = Math.min(40, Math.max(12, text.split('\n').length + 1));
  const described = refused === undefined ? '' : ' aria-describedby="problems" aria-invalid="true"';
  const correct =
    `<form class="correct" method="post" action="${base}/rejected/correct">${hidden}${problems}` +
    `<label for="event">Payload, as JSON</label><textarea id="event" name="event" rows="${rows}" required spellcheck="false" autocapitalize="none"${described}>\n${escapeHtml(text)}</textarea>` +
    '<button class="primary" type="submit">Correct and retry</button></form>';
  const single =
    events.length === 1 ? `<section class="card"><h2>Correct it</h2>${correct}</section>` : readOnly(events);
  return (
    `${single}<section class="card"><h2>Or, as it is</h2><div class="actions">` +
    `<form method="post" action="${base}/rejected/retry">${hidden}<button type="submit">Retry</button>` +
    '<p class="note">Once what it needs is there, such as its company.</p></form>' +
    `<form method="post" action="${base}/rejected/discard">${hidden}<button class="danger" type="submit">Discard</button>` +
    '<p class="note">It is gone for good, and counts nowhere.</p></form></div></section>'
  );
}

function prettyJson(event: unknown): string {
  return JSON.stringify(event, null, 2) ?? 'null';
}
