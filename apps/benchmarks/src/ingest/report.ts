import { median, table } from '../harness.js';
import type { Freshness } from './freshness.js';
import type { Measurement } from './measure.js';

export interface ContestantResult {
  readonly name: string;
  readonly rounds: readonly Measurement[];
  /** Rounds that do not count, with what was wrong in their rows. */
  readonly voided: readonly string[];
}

export interface Ratio {
  readonly name: string;
  readonly reached: number;
  readonly target: number;
}

/** Medians over the rounds, in the order of the table; undefined where a contestant does not have the figure. */
export function summarise({ rounds }: ContestantResult) {
  const middle = (pick: (round: Measurement) => number | undefined) => {
    const values = rounds.map(pick).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : median(values);
  };
  return {
    eventsPerSecond: middle((round) => round.events / round.seconds) ?? 0,
    clientCpuMicroseconds: middle((round) => round.clientCpuMicroseconds),
    intakeCpuMicroseconds: middle((round) => round.intakeCpuMicroseconds),
    workerCpuMicroseconds: middle((round) => round.workerCpuMicroseconds),
    postgresCpuMicroseconds: middle((round) => round.postgresCpuMicroseconds),
    redisCpuMicroseconds: middle((round) => round.redisCpuMicroseconds),
    walBytes: middle((round) => round.walBytes),
    peakMemoryMb: middle((round) => round.peakMemoryMb),
  };
}

/** The run as tables in Markdown, as they stand in the README. */
export function toMarkdown(
  results: readonly ContestantResult[],
  ratios: readonly Ratio[],
  freshness: Readonly<Record<string, Freshness>>,
): string {
  const whole = (value: number | undefined) => value?.toFixed(0) ?? '';
  const contestants = results.map((result) => {
    const voided = result.voided.length > 0 ? ` (void: ${result.voided.join('; ')})` : '';
    return [result.name + voided, ...Object.values(summarise(result)).map(whole)];
  });
  const titles = [
    ...['contestant', 'events/s:', 'client µs/event:', 'intake µs/event:', 'worker µs/event:'],
    ...['PostgreSQL µs/event:', 'Redis µs/event:', 'WAL bytes/event:', 'worker MB:'],
  ];
  const delays = Object.entries(freshness).map(
    ([name, { eventsPerSecond, samples, p50Ms, p99Ms, maxMs }]) => [
      ...[name, whole(eventsPerSecond), samples, whole(p50Ms), whole(p99Ms), whole(maxMs)],
    ],
  );
  return [
    ...table(titles, contestants),
    ...table(
      ['ratio', 'reached:', 'target:'],
      ratios.map(({ name, reached, target }) => [name, reached.toFixed(2), target]),
    ),
    ...table(['freshness at half load', 'events/s:', 'events:', 'p50 ms:', 'p99 ms:', 'longest ms:'], delays),
  ].join('\n');
}
