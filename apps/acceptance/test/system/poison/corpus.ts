import type { QueueName } from '@takt/events';
import { eventDefinitions } from '@takt/events/internal';
import {
  applicationVersion,
  type BadEvent,
  completion,
  eventCorpus,
  randomFrom,
  reopening,
  structureVersion,
  testSeed,
} from '@takt/test-support';
import { asGivenBy, expectedVerdicts, isCarriedBy, queueOf } from '../../support/event-verdicts.js';
import type { QueueStoreKind } from '../../support/test-system.js';

/** A bad value for a job. It must never count, and must not harm other events of the same job. */
export interface Poison {
  /** The job data as JSON text. */
  readonly json: string;
  readonly reason: string;
  /**
   * The reason for the rejection of a job that contains only this value. undefined if the reason is the same in a
   * batch.
   */
  readonly reasonAlone?: string;
  readonly queue: QueueName;
  /** The only queue store that can hold the value. undefined if both can hold it. */
  readonly only?: QueueStoreKind;
  /**
   * True if the value is an array. A job that contains only an array is a batch, so the array is a bad event only as a
   * member of a batch.
   */
  readonly isArray?: boolean;
  /** The JSON text that the list shows, if it differs from `json`. */
  readonly listedAs?: string;
}

export const GOOD_COMPANY = 'TEM-NO';
/**
 * Number of bad events that are taken from the corpus. It is enough for batches of every kind. The test `same-verdict`
 * sends the whole corpus to the worker, each event in a separate job.
 */
const TAKEN = 400;

const types = eventDefinitions.map(({ type }) => type);
const { bad } = eventCorpus(types, GOOD_COMPANY);
const taken = randomFrom(testSeed())
  .shuffle(bad.filter(({ isRefusedByPublisherOnly }) => isRefusedByPublisherOnly !== true))
  .slice(0, TAKEN);

function ofCorpus(kind: QueueStoreKind): readonly Poison[] {
  const events: readonly BadEvent[] = taken.filter((event) => isCarriedBy(kind, event));
  const verdicts = asGivenBy(kind, expectedVerdicts(events));
  return events.map(({ type, json }, position) => ({
    ...{ json, reason: verdicts.get(position) ?? '', queue: queueOf(type) },
    isArray: json.startsWith('['),
  }));
}

function tellOf(json: string): string {
  return expectedVerdicts(bad.filter((event) => event.json === json)).get(0) ?? '';
}

/** The ledger contains this operation with this revision before the bad events arrive. */
export const KNOWN = { workOrderOperationId: 900_001, revision: 5 };

const queue: QueueName = 'work-order-operations';
const HOURS = 'must be hours as a number or plain decimal string from 0 to 1000000';
const IDENTIFIER = 'must be an integer from 1 to 9007199254740991';

const nested = (depth: number) => `${'[1e400,'.repeat(depth)}0${']'.repeat(depth)}`;
const withNested = (depth: number, field: string, data = {}) =>
  JSON.stringify(completion(1, { ...data, [field]: 'NESTED' })).replace('"NESTED"', nested(depth));
const deepTime = (depth: number) => {
  return { json: withNested(depth, 'runTime'), reason: `data.runTime ${HOURS} (got an array of 2)`, queue };
};
const nesting: readonly Poison[] = [
  deepTime(400),
  // The JSON parser of PostgreSQL refuses such deep nesting.
  { ...deepTime(100_000), only: 'redis' },
  {
    json: withNested(100_000, 'ignored', { revision: 0 }),
    reason: `data.revision ${IDENTIFIER} (got 0)`,
    ...{ queue, only: 'redis' },
  },
];

/**
 * Values that the queue in PostgreSQL changes. It replaces null by an empty object, and a number that exceeds a double
 * by a list.
 */
const onPostgres: readonly Poison[] = [
  { json: 'null', listedAs: '{}', reason: tellOf('{}'), ...{ queue, only: 'postgres' } },
  {
    ...{ json: '1e400', queue, only: 'postgres' },
    reason: 'event must be a JSON object (got an array of 1)',
    reasonAlone: 'event must be a JSON object (got "Infinity")',
  },
];

const ofEachType = [completion, reopening, structureVersion, applicationVersion];

const unknownCompanies: readonly Poison[] = ofEachType.map((sample) => {
  const event = sample(101, { database: 'NO-ONE' });
  const reason = 'data.database must be the code of a registered company (got "NO-ONE")';
  return { json: JSON.stringify(event), reason, queue: queueOf(event.type) };
});

const wrongQueues: readonly Poison[] = ofEachType.map((sample) => {
  const event = sample(101);
  const wrong: QueueName = queueOf(event.type) === queue ? 'reference-data' : queue;
  const reason = `type must be of a type that the queue ${wrong} takes (got "${event.type}")`;
  return { json: JSON.stringify(event), reason, queue: wrong };
});

const conflicts: readonly Poison[] = [
  { runTime: 99 },
  { setupTime: 1 },
  { workOrderId: 99 },
  { productStructureVersionId: 99 },
  { completedAt: '2025-01-01T12:00:00.000001Z' },
].map((data) => ({
  json: JSON.stringify(completion(KNOWN.workOrderOperationId, { ...KNOWN, ...data })),
  reason: `data.revision must grow with every change (got 5, which operation 900001 of ${GOOD_COMPANY} has with other content)`,
  queue,
}));

/** Returns bad values for this kind of queue. Producers should not add them, but some producers will. */
export function poisonsFor(kind: QueueStoreKind): readonly Poison[] {
  const others = [...nesting, ...onPostgres, ...unknownCompanies, ...wrongQueues, ...conflicts];
  return [...ofCorpus(kind), ...others.filter(({ only = kind }) => only === kind)];
}

const sample = JSON.stringify(completion(1));

/** Job data that is not JSON. Another program may have written it into Redis. */
export const unreadable: readonly string[] = [
  ...['not JSON', '{', 'NaN', 'undefined', '\u0000\u0001\u0002', '{"data":NaN}'],
  ...[sample.slice(0, -1), `\ufeff${sample}`],
  ...["{'type': 'work-order-operation.completed.v1'}", '[{"type":"work-order-operation.completed.v1"},]'],
];
