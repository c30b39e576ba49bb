import { type Random, toHours } from '@takt/test-support';

/** A time in millionths of an hour, as in the ledger; null if it was not reported. */
export type Microhours = bigint | null;

/** The newest state of an operation. */
export interface OperationState {
  readonly revision: number;
  /** Null after a reopening, because a reopened operation does not count. */
  readonly structureVersion: number | null;
  readonly run: Microhours;
  readonly setup: Microhours;
  readonly cleanup: Microhours;
}

/**
 * Events of one company, and the expected state after all events have arrived. The state does not depend on the order
 * of arrival.
 */
export interface OperationHistory {
  readonly database: string;
  /** CloudEvents in the order of publication: shuffled, with corrections and duplicates. */
  readonly events: readonly object[];
  /** The newest state of each operation by its identifier. */
  readonly newest: ReadonlyMap<number, OperationState>;
  /** Identifiers of the events that the workers must reject. */
  readonly refused: RefusedEvents;
}

export interface RefusedEvents {
  readonly always: ReadonlySet<string>;
  /** Pairs of events that contradict each other. The event that arrives second must be rejected. */
  readonly oneOf: readonly (readonly [string, string])[];
}

/** The fields of a CloudEvent that a history changes or reads. */
interface OperationEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface HistoryOptions {
  readonly database: string;
  readonly events: number;
  readonly structureVersions: number;
  readonly random: Random;
  /**
   * Number of events that the workers must reject. Half of them are invalid, and half contradict another event. The
   * default is 0.
   */
  readonly refused?: number;
}

const CORRECTIONS = 0.05;
const DUPLICATES = 0.1;
/** Share of the corrections that reopen the operation instead of changing it. */
const REOPENINGS = 0.2;
const LONGEST_MICROHOURS = 5_000_000;
const FIRST_INSTANT = Date.parse('2026-01-05T06:00:00Z');

/**
 * Generates a history of events. In 5 % of the events an operation is corrected or reopened, and often moved to another
 * structure version. Another 10 % of the events repeat another event. Half of the repeated events are equal character
 * by character. The other half have another event id, so that no queue can recognise them. `refused` adds events that
 * the workers must reject.
 */
export function generateHistory({
  database,
  events,
  structureVersions,
  random,
  refused = 0,
}: HistoryOptions): OperationHistory {
  const contradictions = Math.floor(refused / 2);
  const invalid = refused - contradictions;
  const corrections = Math.round(events * CORRECTIONS);
  const duplicates = Math.round(events * DUPLICATES);
  const operations = events - corrections - duplicates - invalid - 2 * contradictions;
  const newest = new Map<number, OperationState>();
  const distinct: OperationEvent[] = [];
  const add = (operation: number, state: OperationState) => {
    newest.set(operation, state);
    distinct.push(toEvent(database, operation, state, distinct.length));
  };

  for (let operation = 1; operation <= operations; operation++) {
    add(operation, randomState(1 + random.below(5), structureVersions, random));
  }
  for (let correction = 0; correction < corrections; correction++) {
    const operation = 1 + random.below(operations);
    const revision = (newest.get(operation)?.revision ?? 0) + 1 + random.below(3);
    add(operation, randomState(revision, structureVersions, random, REOPENINGS));
  }
  const repeated = Array.from({ length: duplicates }, (_, index) => {
    const event = random.pick(distinct);
    return index % 2 === 0 ? event : { ...event, id: `again-${index}` };
  });
  const pairs = Array.from({ length: contradictions }, (_, index) => {
    const operation = operations + 1 + index;
    const state = randomState(1, structureVersions, random);
    newest.set(operation, state);
    return toContradiction(toEvent(database, operation, state, distinct.length + index), index);
  });
  const unusable = Array.from({ length: invalid }, (_, index) => spoil(random.pick(distinct), index, random));
  return {
    database,
    events: random.shuffle([...distinct, ...repeated, ...pairs.flat(), ...unusable]),
    newest,
    refused: {
      always: new Set(unusable.map(({ id }) => id)),
      oneOf: pairs.map(([one, other]) => [one.id, other.id]),
    },
  };
}

/**
 * Returns two events with the same revision and different work orders. Both events add the same times to the figures,
 * so the expected figures do not depend on the event that arrives first.
 */
function toContradiction(event: OperationEvent, index: number): readonly [OperationEvent, OperationEvent] {
  const { data } = event;
  return [
    { ...event, id: `contradiction-${index}-a`, data: { ...data, workOrderId: 1 } },
    { ...event, id: `contradiction-${index}-b`, data: { ...data, workOrderId: 2 } },
  ];
}

/** Changes that make an event invalid. Each change spoils one field. */
const SPOILT: readonly Readonly<Record<string, unknown>>[] = [
  { database: 'NOBODY-NO' },
  { revision: 0 },
  { workOrderOperationId: '1' },
  { completedAt: 'yesterday', reopenedAt: 'yesterday' },
  { database: undefined },
];

function spoil(event: OperationEvent, index: number, random: Random): OperationEvent {
  return { ...event, id: `unusable-${index}`, data: { ...event.data, ...random.pick(SPOILT) } };
}

function randomState(
  revision: number,
  structureVersions: number,
  random: Random,
  reopenings = 0,
): OperationState {
  if (random() < reopenings) {
    return { revision, structureVersion: null, run: null, setup: null, cleanup: null };
  }
  const time = () => BigInt(random.below(LONGEST_MICROHOURS));
  return {
    revision,
    structureVersion: 1 + random.below(structureVersions),
    run: time(),
    setup: random() < 0.3 ? null : time(),
    cleanup: random() < 0.3 ? null : time(),
  };
}

function toEvent(database: string, operation: number, state: OperationState, number: number): OperationEvent {
  const instant = new Date(FIRST_INSTANT + number * 1_000).toISOString();
  const common = { database, workOrderOperationId: operation, revision: state.revision };
  const envelope = { specversion: '1.0', id: `event-${number}`, source: '/acceptance', time: instant };
  if (state.structureVersion === null) {
    const data = { ...common, reopenedAt: instant };
    return { ...envelope, type: 'work-order-operation.reopened.v1', data };
  }
  const data = {
    ...common,
    productStructureVersionId: state.structureVersion,
    completedAt: instant,
    runTime: toHoursOrNull(state.run),
    setupTime: toHoursOrNull(state.setup),
    cleanupTime: toHoursOrNull(state.cleanup),
  };
  return { ...envelope, type: 'work-order-operation.completed.v1', data };
}

const toHoursOrNull = (time: Microhours) => (time === null ? null : toHours(time));
