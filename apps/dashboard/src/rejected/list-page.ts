import { escapeHtml } from '@takt/pages';
import type { RejectionFacts } from '@takt/rejected-events';
import { agoOf, countOf, numberOf } from '../pages/words.js';
import {
  type FilterField,
  filterValueOf,
  isEmpty,
  meets,
  NONE,
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
  readonly hasAllCompanies: boolean;
  /** What was done before this page was shown; HTML. */
  readonly notice: string;
}

/** The content of the page that lists rejected events: groups, filter, what to do with all, a page of them. */
export function writeRejectedList(list: RejectedList): string {
  const { visible, filter, base } = list;
  const found = isEmpty(filter) ? visible : visible.filter((event) => meets(event, filter));
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, list.page), pages);
  const start = (page - 1) * PAGE_SIZE;
  const shown = found.slice(start, start + PAGE_SIZE);
  const head =
    `<div class="title"><h1>Rejected events</h1></div>${list.notice}` + `<p class="intro">${lead(list)}</p>`;
  if (visible.length === 0) {
    return `${head}<p class="nothing">Nothing is rejected. Events that break a rule will appear here with the reason.</p>`;
  }
  return (
    `${head}${filterForm(list)}${groups(found, list)}` +
    `<section class="results" aria-labelledby="results"><div class="title"><h2 id="results">${
      isEmpty(filter) ? 'All rejected events' : 'Rejected events that meet the filter'
    }: ${numberOf(found.length)}</h2>${bulkLinks(list, found.length)}</div>` +
    (shown.length === 0
      ? '<p class="nothing">None meets the filter. Clear it, or change it.</p>'
      : table(shown, base, writeFilter(filter, { page: String(page) }))) +
    `${pager(list, page, pages, { from: start + 1, to: start + shown.length, of: found.length })}</section>`
  );
}

function lead({ visible, isCut, hasAllCompanies }: RejectedList): string {
  const cut = isCut ? ' Only the newest are listed; deal with them, and older ones follow.' : '';
  const others = hasAllCompanies
    ? ''
    : ' You see those of your companies; what names no registered company is shown to who has all of them.';
  if (visible.length === 0) return `${cut}${others}`.trim();
  return (
    `${countOf(visible.length, 'event')} broke a rule and ${visible.length === 1 ? 'counts' : 'count'} nowhere until ` +
    `somebody corrects, retries or discards ${visible.length === 1 ? 'it' : 'them'}.${cut}${others}`
  );
}

const LABELS: Readonly<Record<Exclude<FilterField, 'rule'>, string>> = {
  company: 'Company',
  queue: 'Queue',
  type: 'Type',
  source: 'Source',
};
/** Sources are as many as producers like. */
const MAX_CHOICES = 200;

function filterForm({ visible, filter, base }: RejectedList): string {
  const selects = (['company', 'queue', 'type', 'source'] as const).map((field) => {
    const values = [...new Set(visible.map((event) => filterValueOf(event, field)))]
      .sort()
      .slice(0, MAX_CHOICES);
    const current = filter.fields.get(field);
    if (current !== undefined && !values.includes(current)) values.push(current);
    const options = values.map((value) => {
      const text = escapeHtml(value);
      return `<option value="${text}"${value === current ? ' selected' : ''}>${text}</option>`;
    });
    return `<label>${LABELS[field]} <select name="${field}"><option value="">any</option>${options.join('')}</select></label>`;
  });
  const rule = filter.fields.get('rule');
  const keptRule = rule === undefined ? '' : `<input type="hidden" name="rule" value="${escapeHtml(rule)}">`;
  const clear = isEmpty(filter) ? '' : ` <a href="${base}/rejected">Clear</a>`;
  return (
    `<form class="filter" method="get" action="${base}/rejected" role="search" aria-label="Rejected events">${selects.join('')}` +
    `<label class="wide">Text <input type="search" name="text" value="${escapeHtml(filter.text)}" ` +
    `placeholder="in reason, ids and payload" maxlength="200" spellcheck="false"></label>${keptRule}` +
    `<button type="submit">Apply</button>${clear}</form>`
  );
}

function groups(found: readonly RejectionFacts[], { filter, base }: RejectedList): string {
  const rule = filter.fields.get('rule');
  if (rule !== undefined) {
    const href = escapeHtml(`${base}/rejected?${writeFilter(filter, { rule: undefined })}`);
    return `<p class="chosen"><strong>Reason:</strong> ${escapeHtml(rule)} <a href="${href}">Show all reasons</a></p>`;
  }
  const byRule = groupByRule(found);
  if (byRule.length === 0) return '';
  const rows = byRule.slice(0, SHOWN_GROUPS).map((group) => {
    const href = escapeHtml(`${base}/rejected?${writeFilter(filter, { rule: group.rule })}`);
    return (
      `<tr><td class="end">${numberOf(group.count)}</td><th scope="row"><a href="${href}">${escapeHtml(group.rule)}</a></th>` +
      `<td>${agoOf(group.lastAtMs)}</td></tr>`
    );
  });
  const others = byRule.slice(SHOWN_GROUPS);
  const rest = others.reduce((sum, { count }) => sum + count, 0);
  const more =
    others.length === 0
      ? ''
      : `<p class="note">${countOf(others.length, 'other reason')}, of ${countOf(rest, 'event')}: filter to see them.</p>`;
  return (
    `<section aria-labelledby="reasons"><h2 id="reasons">Why</h2><section class="scroll" tabindex="0" aria-label="Table: reasons">` +
    `<table class="list"><thead><tr><th scope="col" class="end">Events</th><th scope="col">Reason</th><th scope="col">Last</th></tr></thead>` +
    `<tbody>${rows.join('')}</tbody></table></section>${more}</section>`
  );
}

export interface RuleGroup {
  readonly rule: string;
  readonly count: number;
  readonly lastAtMs: number;
}

/** Events by the rule that they broke, the most frequent first. `events`: the newest first. */
export function groupByRule(events: readonly RejectionFacts[]): readonly RuleGroup[] {
  const groups = new Map<string, { count: number; readonly lastAtMs: number }>();
  for (const { rule, rejectedAtMs } of events) {
    const group = groups.get(rule);
    if (group === undefined) {
      groups.set(rule, { count: 1, lastAtMs: rejectedAtMs });
    } else {
      group.count += 1;
    }
  }
  return [...groups]
    .map(([rule, group]) => ({ rule: rule || NONE, ...group }))
    .sort((one, other) => other.count - one.count || (one.rule < other.rule ? -1 : 1));
}

function bulkLinks({ filter, base, mayOperate }: RejectedList, count: number): string {
  if (!mayOperate || count === 0) return '';
  const links = (['retry', 'discard'] as const).map((action) => {
    const parameters = writeFilter(filter);
    parameters.set('action', action);
    const href = escapeHtml(`${base}/rejected/bulk?${parameters}`);
    return `<a class="button" href="${href}">${action === 'retry' ? 'Retry' : 'Discard'} all ${numberOf(count)} …</a>`;
  });
  return `<p class="actions">${links.join(' ')}</p>`;
}

function table(events: readonly RejectionFacts[], base: string, back: URLSearchParams): string {
  const rows = events.map((event) => {
    const href = escapeHtml(eventPath(base, event.id, back));
    const name = event.eventId ?? event.id.slice(event.id.indexOf('/') + 1);
    return (
      `<tr><th scope="row"><a href="${href}">${escapeHtml(shortened(name))}</a><span class="note">${escapeHtml(event.type ?? event.queue)}</span></th>` +
      `<td>${escapeHtml(event.company ?? '–')}</td><td>${escapeHtml(shortened(event.source ?? '–'))}</td>` +
      `<td class="reason">${escapeHtml(event.reason)}</td><td>${agoOf(event.rejectedAtMs)}</td></tr>`
    );
  });
  return (
    '<section class="scroll" tabindex="0" aria-label="Table: rejected events"><table class="list"><thead><tr><th scope="col">Event</th>' +
    '<th scope="col">Company</th><th scope="col">Source</th><th scope="col">Reason</th><th scope="col">Rejected</th></tr></thead>' +
    `<tbody>${rows.join('')}</tbody></table></section>`
  );
}

const MAX_SHOWN_CHARACTERS = 60;

function shortened(text: string): string {
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…`;
}

/** Where one rejected event is shown. `back`: the parameters of the list that led there. */
export function eventPath(base: string, id: string, back: URLSearchParams): string {
  const parameters = new URLSearchParams({ id });
  if (back.size > 0) parameters.set('back', back.toString());
  return `${base}/rejected/event?${parameters}`;
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

function pager({ filter, base }: RejectedList, page: number, pages: number, range: Range): string {
  if (pages === 1) return '';
  const link = (target: number, name: string) => {
    if (target < 1 || target > pages || target === page) return `<li><span>${name}</span></li>`;
    const href = escapeHtml(`${base}/rejected?${writeFilter(filter, { page: String(target) })}`);
    return `<li><a href="${href}">${name}</a></li>`;
  };
  const places = `${numberOf(range.from)}&ndash;${numberOf(range.to)} of ${numberOf(range.of)}`;
  return (
    `<nav class="pager foot" aria-label="Pages"><p>${places}</p><ul>${link(1, 'First')}${link(page - 1, 'Previous')}` +
    `${link(page + 1, 'Next')}${link(pages, 'Last')}</ul></nav>`
  );
}
