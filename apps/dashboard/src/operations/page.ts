import { escapeHtml } from '@takt/pages';
import { agoOf, bytesOf, countOf, numberOf, spanOf, timeOf } from '../pages/words.js';
import { writeFilter } from '../rejected/filter.js';
import { drawChart } from './chart.js';
import { findFindings } from './findings.js';
import type { OperationsView } from './view.js';

const SHOWN_REASONS = 6;
const SHOWN_SOURCES = 12;
const SHOWN_TABLES = 6;

/** The parts of the page that change, each with the id of its element; HTML. */
export function writeRegions(view: OperationsView): Readonly<Record<string, string>> {
  return {
    asOf: `As of ${timeOf(view.sample.atMs)}`,
    verdict: verdict(view),
    flow: flow(view),
    lag: lag(view),
    queued: queues(view),
    workers: workers(view),
    rejected: rejected(view),
    unlisted: unlisted(view),
    sources: sources(view),
    audit: audit(view),
    database: database(view),
  };
}

/** The content of the page. With a script it is kept up to date; without, the link loads it anew. */
export function writeOperations(view: OperationsView): string {
  const regions = writeRegions(view);
  const card = (id: string, title: string, kind = '') =>
    `<section class="card${kind}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2><div id="${id}">${regions[id]}</div></section>`;
  return (
    `<div class="title"><h1>Operations</h1><p class="as-of"><span id="asOf">${regions['asOf']}</span> <a href="${view.base}/">Refresh</a></p></div>` +
    `<div id="verdict" role="status">${regions['verdict']}</div>` +
    `<div class="grid">${card('flow', 'Flow')}${card('lag', 'Lag to the figures')}${card('queued', 'Queues')}</div>` +
    `<div class="grid">${card('rejected', 'Rejected events', ' wide-card')}${card('workers', 'Workers')}</div>` +
    `<div class="grid">${card('unlisted', 'Waiting for master data')}${card('sources', 'Last heard of')}` +
    `<div class="stack">${card('audit', 'Last audit')}${card('database', 'Database')}</div></div>`
  );
}

function verdict(view: OperationsView): string {
  const findings = findFindings(view);
  if (findings.length === 0) {
    return '<p class="well"><strong>All is well.</strong> Events are taken as they come; nothing waits, nothing is rejected.</p>';
  }
  const alarms = findings.filter(({ severity }) => severity === 'alarm').length;
  const calm =
    alarms === 0
      ? '<p class="well"><strong>No alarm.</strong> This wants attention when there is time:</p>'
      : '';
  const items = findings.map(
    ({ severity, text, remedy }) =>
      `<li class="${severity}"><p><strong>${text}</strong></p><p>${remedy}</p></li>`,
  );
  return `${calm}<ul class="findings">${items.join('')}</ul>`;
}

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  readonly isBad?: boolean;
}

function figures(all: readonly Figure[]): string {
  const items = all.map(
    ({ name, value, unit, isBad }) =>
      `<div><dt>${name}</dt><dd${isBad === true ? ' class="over"' : ''}>${value}${unit === '' ? '' : ` <span class="unit">${unit}</span>`}</dd></div>`,
  );
  return `<dl class="figures">${items.join('')}</dl>`;
}

function rateOf(value: number): string {
  return value === 0 || value >= 10 ? numberOf(value) : value.toFixed(1);
}

function flow({ sample: { rates, history, reports } }: OperationsView): string {
  const chart = drawChart(history, {
    label: 'Events a second',
    figureOf: (point) =>
      point.rates && point.rates.applied + point.rates.duplicate + point.rates.stale + point.rates.rejected,
    format: (value) => `${rateOf(value)}/s`,
    least: 1,
  });
  if (rates === undefined) {
    const why =
      reports.length === 0
        ? 'No worker tells.'
        : 'Measuring: workers report every 5 s, and it takes two reports.';
    return `<p class="note">${why}</p>${chart}`;
  }
  const { applied, duplicate, stale } = rates;
  const all = applied + duplicate + stale + rates.rejected;
  const rows: readonly Figure[] = [
    { name: 'Events in', value: rateOf(all), unit: '/s' },
    { name: 'Applied', value: rateOf(applied), unit: '/s' },
    { name: 'Duplicate', value: rateOf(duplicate), unit: '/s' },
    { name: 'Stale', value: rateOf(stale), unit: '/s' },
    { name: 'Rejected', value: rateOf(rates.rejected), unit: '/s', isBad: rates.rejected > 0 },
  ];
  return figures(rows) + chart;
}

function lag({ sample }: OperationsView): string {
  const figureOf = (seconds: number | null) => (seconds === null ? '–' : spanOf(seconds));
  const last = [...sample.history]
    .reverse()
    .find(({ publishingLagSeconds }) => publishingLagSeconds !== null);
  const isOld = sample.publishingLagSeconds === null && last !== undefined;
  const shown = isOld ? last : sample;
  const note =
    last === undefined
      ? '<p class="note">No event was applied in the last minutes.</p>'
      : isOld
        ? `<p class="note">When events were applied last, ${agoOf(last.atMs)}.</p>`
        : '';
  return (
    figures([
      { name: 'From publishing', value: figureOf(shown.publishingLagSeconds), unit: '' },
      { name: 'From completion', value: figureOf(shown.completionLagSeconds), unit: '' },
    ]) +
    note +
    drawChart(sample.history, {
      label: 'Seconds from publishing to commit',
      figureOf: ({ publishingLagSeconds }) => publishingLagSeconds,
      format: spanOf,
      least: 0.5,
    })
  );
}

function queues({ sample: { queues: all, history } }: OperationsView): string {
  const rows = all.map(
    (queue) =>
      `<tr><th scope="row">${queue.name}${queue.isPaused ? ' <strong class="over">paused</strong>' : ''}</th>` +
      `<td class="end">${numberOf(queue.waiting)}</td><td class="end">${numberOf(queue.active)}</td>` +
      `<td class="end">${queue.oldestWaitSeconds === null ? '–' : spanOf(queue.oldestWaitSeconds)}</td></tr>`,
  );
  return (
    '<table class="items"><thead><tr><th scope="col">Jobs</th><th scope="col" class="end">Waiting</th>' +
    `<th scope="col" class="end">Active</th><th scope="col" class="end">Oldest</th></tr></thead><tbody>${rows.join('')}</tbody></table>` +
    drawChart(history, {
      label: 'Jobs that wait',
      figureOf: ({ waitingJobs }) => waitingJobs,
      format: (value) => countOf(value, 'job'),
      least: 10,
    })
  );
}

function workers({ sample: { reports } }: OperationsView): string {
  const byWorker = new Map(reports.map((report) => [report.workerId, report]));
  if (byWorker.size === 0) return '<p class="note">None was seen in the last 30 s.</p>';
  const rows = [...byWorker.values()].map(({ workerId, host, pid, version, startedAt }) => {
    const own = reports.filter((report) => report.workerId === workerId);
    const commits = own.flatMap(({ lastCommitAt }) =>
      lastCommitAt === null ? [] : [lastCommitAt.getTime()],
    );
    const applied = own.reduce((sum, report) => sum + report.applied, 0);
    return (
      `<tr><th scope="row">${escapeHtml(host)} <span class="note">pid ${pid}, version ${escapeHtml(version)}</span></th>` +
      `<td>${agoOf(startedAt.getTime())}</td><td class="end">${numberOf(applied)}</td>` +
      `<td>${commits.length === 0 ? '–' : agoOf(Math.max(...commits))}</td></tr>`
    );
  });
  return (
    `<table class="items"><thead><tr><th scope="col">${countOf(byWorker.size, 'worker')}</th><th scope="col">Started</th>` +
    `<th scope="col" class="end">Applied</th><th scope="col">Last commit</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  );
}

function rejected({ rejected: { total, groups, isCut }, base }: OperationsView): string {
  if (total === 0) return '<p class="note">None.</p>';
  const rows = groups.slice(0, SHOWN_REASONS).map(({ rule, count, lastAtMs }) => {
    const filter = writeFilter({ fields: new Map([['rule', rule]]), text: '' });
    return (
      `<tr><td class="end">${numberOf(count)}</td><th scope="row"><a href="${escapeHtml(`${base}/rejected?${filter}`)}">${escapeHtml(rule)}</a></th>` +
      `<td>${agoOf(lastAtMs)}</td></tr>`
    );
  });
  const others = groups.length - SHOWN_REASONS;
  const rest = others > 0 ? `, ${countOf(others, 'more reason')} among them` : '';
  return (
    `<table class="items reasons"><thead><tr><th scope="col" class="end">Events</th><th scope="col">Reason</th><th scope="col">Last</th></tr></thead>` +
    `<tbody>${rows.join('')}</tbody></table><p><a href="${base}/rejected">All ${numberOf(total)}${isCut ? ' newest' : ''}</a>${rest}</p>`
  );
}

function unlisted({ unlisted: summaries, unlistedVersions }: OperationsView): string {
  const waiting = summaries.filter(({ operations }) => operations > 0);
  if (waiting.length === 0) {
    return '<p class="note">None: every completed operation is of a known structure version.</p>';
  }
  const rows = waiting.map(({ database: code, structureVersions, operations }) => {
    const some = unlistedVersions.filter((one) => one.database === code);
    const ids = some.map(({ productStructureVersionId }) => String(productStructureVersionId));
    const more = structureVersions > some.length ? ', …' : '';
    return (
      `<tr><th scope="row">${escapeHtml(code)}<span class="note ids">${ids.join(', ')}${more}</span></th>` +
      `<td class="end">${numberOf(structureVersions)}</td><td class="end">${numberOf(operations)}</td></tr>`
    );
  });
  return (
    '<table class="items"><thead><tr><th scope="col">Company, structure versions</th><th scope="col" class="end">Versions</th>' +
    `<th scope="col" class="end">Operations</th></tr></thead><tbody>${rows.join('')}</tbody></table>` +
    '<p class="note">All of them: <code>npx takt unlisted list</code></p>'
  );
}

function sources({ sources: all }: OperationsView): string {
  if (all.length === 0) return '<p class="note">No event has been taken in yet.</p>';
  const rows = all
    .slice(0, SHOWN_SOURCES)
    .map(
      ({ database: code, source, lastEventAt, lastEventId }) =>
        `<tr><th scope="row">${escapeHtml(source)}<span class="note ids">${escapeHtml(code)}, ${escapeHtml(lastEventId)}</span></th>` +
        `<td>${agoOf(lastEventAt.getTime())}</td></tr>`,
    );
  const more =
    all.length > SHOWN_SOURCES
      ? `<p class="note">And ${countOf(all.length - SHOWN_SOURCES, 'source')} that were heard of before.</p>`
      : '';
  return `<table class="items"><thead><tr><th scope="col">Source, event</th><th scope="col">Published</th></tr></thead><tbody>${rows.join('')}</tbody></table>${more}`;
}

function audit({ sample: { slow } }: OperationsView): string {
  const run = slow.audit;
  if (run === undefined) return '<p class="note">None yet: <code>npx takt audit</code></p>';
  const { at, structureVersions, differences, seconds } = run;
  const shown = figures([
    { name: 'Ended', value: agoOf(at.getTime()), unit: '' },
    { name: 'Differences', value: numberOf(differences), unit: '', isBad: differences > 0 },
  ]);
  return `${shown}<p class="note">${countOf(structureVersions, 'structure version')} in ${spanOf(seconds)}.</p>`;
}

function database({ sample: { slow } }: OperationsView): string {
  const { databaseBytes, tables } = slow.size;
  const rows = tables.slice(0, SHOWN_TABLES).map(({ table, bytes, indexBytes, liveRows, deadRows }) => {
    const share = liveRows + deadRows === 0 ? 0 : deadRows / (liveRows + deadRows);
    return (
      `<tr><th scope="row">${escapeHtml(table)}</th><td class="end">${bytesOf(bytes)}</td><td class="end">${bytesOf(indexBytes)}</td>` +
      `<td class="end">${Math.round(share * 100)} %</td></tr>`
    );
  });
  return (
    `<p>${bytesOf(databaseBytes)} in all</p><table class="items"><thead><tr><th scope="col">Table</th><th scope="col" class="end">Rows</th>` +
    `<th scope="col" class="end">Indexes</th><th scope="col" class="end">Dead</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  );
}
