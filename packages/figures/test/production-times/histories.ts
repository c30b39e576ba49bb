import { exactFigures, toHours, toMicrohours } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import type pg from 'pg';
import type { WorkOrderOperationEvent } from '../../src/production-times/index.js';
import { completed, reopened } from './events.js';
import {
  type FiguresByMonth,
  NONE,
  readMonthlyFigures,
  readServedFigures,
  type ServedFigures,
  type ServedTimes,
} from './served-figures.js';

const OPERATIONS = 4;
const REVISIONS = 6;
export const STRUCTURE_VERSIONS = 3;
/** Instants around the ends of a day and of months. Operations are completed at these instants. */
const INSTANTS = [
  '2024-01-31T23:59:59.999999Z',
  '2024-02-01T00:00:00.000000Z',
  '2024-02-29T23:59:59.999999Z',
  '2024-03-15T12:00:00.000000Z',
];
/** Days up to which operations are pruned. They lie between the instants. */
export const DAYS = ['2024-01-31', '2024-02-01', '2024-02-02', '2024-04-01'];
/** The distance between the first identifiers of two histories. A history uses fewer identifiers than this. */
export const IDENTIFIERS = 10;

/**
 * The state of an operation in a revision that completes it. A revision that reopens the operation has the state null.
 */
export interface Completion {
  readonly version: number;
  /** The instant of the completion. */
  readonly at: string;
  readonly run: string;
  readonly setup: string | null;
  readonly cleanup: string | null;
}

/**
 * The content of an event. In each history, identifiers start at 1. The newest revision of an operation counts, at any
 * position in the history.
 */
export interface Occurrence {
  readonly operation: number;
  readonly revision: number;
  readonly state: Completion | null;
}

export interface History {
  /** The batches in the order in which workers apply them. */
  readonly batches: readonly (readonly Occurrence[])[];
  readonly workers: number;
}

/** Generates times that are likely to cause ties, zeros, and sums at the limits. */
export const anyTime = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('0.000000', '0.000001', '0.000002', '0.000003', '0.000005') },
  { weight: 2, arbitrary: fc.constantFrom('1000000.000000', '999999.999999', '999999.999998') },
  { weight: 1, arbitrary: fc.constantFrom('0.333333', '0.666667', '1.500000', '12.250000') },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: 1_000_000_000_000n }).map(toHours) },
);

const anyState = (instants: readonly string[]) =>
  fc.option(
    fc.record({
      version: fc.integer({ min: 1, max: STRUCTURE_VERSIONS }),
      at: fc.constantFrom(...instants),
      run: anyTime,
      setup: fc.option(anyTime),
      cleanup: fc.option(anyTime),
    }),
    { freq: 4 },
  );

/**
 * Generates any history of completions, corrections, moves, reopenings, duplicates and stale events, in any order and
 * any batches, for 1 to 4 workers. Each revision of an operation has one content, but may occur several times.
 */
export const anyHistoryAt = (instants: readonly string[]): fc.Arbitrary<History> =>
  fc
    .array(fc.array(anyState(instants), { minLength: REVISIONS, maxLength: REVISIONS }), {
      minLength: OPERATIONS,
      maxLength: OPERATIONS,
    })
    .chain((states) =>
      fc.record({
        batches: fc.array(fc.array(anyOccurrence(states), { minLength: 1, maxLength: 8 }), {
          minLength: 1,
          maxLength: 10,
        }),
        workers: fc.integer({ min: 1, max: 4 }),
      }),
    );

export const anyHistory = anyHistoryAt(INSTANTS);

function anyOccurrence(states: readonly (readonly (Completion | null)[])[]): fc.Arbitrary<Occurrence> {
  return fc.constantFrom(
    ...states.flatMap((revisions, operation) =>
      revisions.map((state, revision) => ({ operation: operation + 1, revision: revision + 1, state })),
    ),
  );
}

/** Returns the event of an occurrence. `offset` is added to all identifiers, so that two histories share none. */
export function toEvent(
  database: string,
  offset: number,
  { operation, revision, state }: Occurrence,
): WorkOrderOperationEvent {
  const identity = { database, workOrderOperationId: offset + operation, revision };
  if (state === null) return reopened(identity);
  return completed({
    ...identity,
    productStructureVersionId: offset + state.version,
    completedAt: state.at,
    runTime: state.run,
    setupTime: state.setup,
    cleanupTime: state.cleanup,
  });
}

/**
 * Expects the figures and months that a history must give, and no other structure versions. `monthOf` returns the month
 * of an instant, by default in UTC.
 */
export async function expectFiguresAfter(
  history: History,
  { pool, database, offset }: { readonly pool: pg.Pool; readonly database: string; readonly offset: number },
  monthOf = (at: string) => at.slice(0, 7),
): Promise<void> {
  const expected = figuresAfter(history);
  const range = { first: offset + 1, last: offset + IDENTIFIERS };
  const stored = await readServedFigures(pool, database, range);
  for (const [id, figures] of stored) {
    expect(figures, `structure version ${id - offset}`).to.deep.equal(
      expected.get(id - offset) ?? NO_FIGURES,
    );
    expected.delete(id - offset);
  }
  expect([...expected.keys()], 'structure versions without figures').to.deep.equal([]);
  const months = await readMonthlyFigures(pool, database, range);
  const moved = [...monthsAfter(history, monthOf)].map(([id, figures]) => [offset + id, figures] as const);
  expect(months, 'months').to.deep.equal(new Map(moved));
}

/** Returns the expected figures of all structure versions with at least one operation. */
function figuresAfter(history: History): Map<number, ServedFigures> {
  const byVersion = groupBy(completionsAfter(history), ({ version }) => version);
  return new Map([...byVersion].map(([version, completions]) => [version, describeCompletions(completions)]));
}

/**
 * Returns the expected months of these structure versions. An operation belongs to the month of the completion in its
 * newest revision.
 */
function monthsAfter(history: History, monthOf: (at: string) => string): Map<number, FiguresByMonth> {
  const byVersion = groupBy(completionsAfter(history), ({ version }) => version);
  return new Map(
    [...byVersion].map(([version, ofVersion]) => {
      const byMonth = [...groupBy(ofVersion, ({ at }) => monthOf(at))];
      const last = (completions: readonly Completion[]) => completions.map(({ at }) => at).sort();
      return [
        version,
        Object.fromEntries(
          byMonth.map(([month, completions]) => [
            month,
            { ...describeCompletions(completions), last: last(completions).at(-1) ?? null },
          ]),
        ),
      ];
    }),
  );
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Returns the operations that the figures must count: those whose newest revision is a completion. */
export function completionsAfter(history: History): readonly Completion[] {
  const newest = new Map<number, Occurrence>();
  for (const occurrence of history.batches.flat()) {
    if (occurrence.revision >= (newest.get(occurrence.operation)?.revision ?? 0)) {
      newest.set(occurrence.operation, occurrence);
    }
  }
  return [...newest.values()].map(({ state }) => state).filter((state) => state !== null);
}

function describeCompletions(completions: readonly Completion[]): ServedFigures {
  const reported = (times: readonly (string | null)[]) => times.filter((one) => one !== null);
  return {
    operations: completions.length,
    run: describeTimes(completions.map(({ run }) => run)),
    setup: describeTimes(reported(completions.map(({ setup }) => setup))),
    cleanup: describeTimes(reported(completions.map(({ cleanup }) => cleanup))),
  };
}

/** Recomputes the figures of these times exactly. The result has the form in which the API serves figures. */
export function describeTimes(times: readonly string[]): ServedTimes {
  const figures = exactFigures(times.map((time) => toMicrohours(time)));
  if (figures === undefined) return NONE;
  const { average, shortest, longest, deviation } = figures;
  return [toHours(average), toHours(shortest), toHours(longest), toHours(deviation)];
}

export const NO_FIGURES: ServedFigures = { operations: 0, run: NONE, setup: NONE, cleanup: NONE };
