import { atLeast, atMost, type Ratio, table } from '../../harness.js';
import type { WhileEvents } from '../measure-while-events.js';
import type { Measured } from './http-load.js';

/** What the size on which contestants meet gave. */
export interface MeasuredContest {
  readonly rows: number;
  readonly measured: readonly Measured[];
  /** Where peers took part. */
  readonly deepPage?: number;
  /** Where our pages took part. */
  readonly htmlBytes?: number;
  readonly whileEvents?: WhileEvents;
  readonly apiPeakMemoryMb: number;
}

export function contestTable({ rows, measured, deepPage }: MeasuredContest): readonly string[] {
  const cells = measured.map((one) => [
    ...[one.contestant, one.perSecond.toFixed(0), one.p50Ms.toFixed(2), one.p99Ms.toFixed(2)],
    ...[one.serverMicroseconds?.toFixed(0) ?? '', one.postgresMicroseconds.toFixed(0), one.failures],
  ]);
  const deep = deepPage === undefined ? '' : `, the deep page is page ${deepPage}`;
  const titles = [
    ...['contestant', 'requests/s:', 'p50 ms:', 'p99 ms:', 'server CPU µs:', 'PostgreSQL CPU µs:'],
    'past the deadline:',
  ];
  return [`${rows} rows, pages of 80${deep}:`, '', ...table(titles, cells)];
}

/** Ratios of what took part; the others are no numbers. */
export function contestRatios(contest: MeasuredContest): readonly Ratio[] {
  const of = (contestant: string) => contest.measured.find((one) => one.contestant === contestant);
  const speed = (contestant: string) => of(contestant)?.perSecond ?? Number.NaN;
  const p99 = (contestant: string) => of(contestant)?.p99Ms ?? Number.NaN;
  const cpu = (contestant: string) => {
    const { serverMicroseconds = 0, postgresMicroseconds = Number.NaN } = of(contestant) ?? {};
    return serverMicroseconds + postgresMicroseconds;
  };
  const speeds = (one: string, other: string, target: Ratio['target']): Ratio => ({
    name: `${one} / ${other}`,
    reached: speed(one) / speed(other),
    byCpu: cpu(other) / cpu(one),
    target,
  });
  const { whileEvents, htmlBytes = Number.NaN } = contest;
  return [
    ...['first page', 'filtered page', 'deep page'].map((page) =>
      speeds(`takt, ${page}`, `by hand, ${page}`, atLeast(0.9)),
    ),
    speeds('takt, first page', 'CAP, first page', atLeast(2)),
    speeds('takt, deep page', 'CAP, deep page', atLeast(10)),
    {
      name: 'CPU of a first page / of one that is not modified',
      reached: cpu('takt, first page') / cpu('takt, first page not modified'),
      target: atLeast(8),
    },
    speeds('takt, first page as HTML', 'takt, first page', atLeast(0.5)),
    { name: 'bytes of a page of HTML', reached: htmlBytes, target: atMost(120_000) },
    {
      name: `p99 while ${whileEvents?.eventsPerSecond.toFixed(0)} events/s are taken / at an idle table`,
      reached: (whileEvents?.busyP99Ms ?? Number.NaN) / (whileEvents?.idleP99Ms ?? Number.NaN),
      target: atMost(2),
    },
    speeds('JSON, ordered', 'SQL alone, ordered', atLeast(0.5)),
    speeds('JSON, by range', 'SQL alone, by range', atLeast(0.5)),
    ...['ordered', 'by range'].map((kind) => ({
      name: `p99 of JSON / of SQL alone, ${kind}`,
      reached: p99(`JSON, ${kind}`) / p99(`SQL alone, ${kind}`),
      target: atMost(2),
    })),
    speeds('XML, ordered', 'JSON, ordered', atLeast(0.5)),
    speeds('takt, first page', 'live GROUP BY, first page', atLeast(50)),
  ];
}

export function contestNotes({ rows, whileEvents, apiPeakMemoryMb }: MeasuredContest): readonly string[] {
  const memory = `Most memory of the API at ${rows} rows: ${apiPeakMemoryMb.toFixed(0)} MB.`;
  if (whileEvents === undefined) return [memory, ''];
  const { eventsPerSecond, idleP50Ms, idleP99Ms, busyP50Ms, busyP99Ms } = whileEvents;
  return [
    `One client, idle table: p50 ${idleP50Ms.toFixed(2)} ms, p99 ${idleP99Ms.toFixed(2)} ms; while ${eventsPerSecond.toFixed(0)} events/s are taken: p50 ${busyP50Ms.toFixed(2)} ms, p99 ${busyP99Ms.toFixed(2)} ms.`,
    '',
    memory,
    '',
  ];
}
