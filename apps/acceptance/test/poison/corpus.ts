import type { QueueName } from '@takt/events';
import type { QueueStoreKind } from '../support/test-system.js';
import { badValues } from './bad-values.js';
import { optionalFields, RULES, requiredFields, texts } from './field-rules.js';
import {
  changed,
  completion,
  type Json,
  type SampleType,
  samples,
  sampleTypes,
  toJson,
  token,
} from './sample-events.js';

/** A value that must never count, and never harm what comes with it. */
export interface Poison {
  readonly name: string;
  /** What stands in the queue, as JSON text. */
  readonly json: string;
  /** What the reason says: the field and the rule. */
  readonly reason: RegExp;
  readonly queue: QueueName;
  /** The store that can carry it; undefined: both. */
  readonly only?: QueueStoreKind;
  /** An array in a job of its own is a batch, so it is bad only as a member of one. */
  readonly isArray?: boolean;
  /** JSON text of what the failed set holds, where it is not the same. */
  readonly listedAs?: string;
}

const OPERATIONS: QueueName = 'work-order-operations';
const queueOf: Readonly<Record<SampleType, QueueName>> = {
  completed: OPERATIONS,
  reopened: OPERATIONS,
  structureVersion: 'reference-data',
  applicationVersion: 'reference-data',
};

/** `event`, to be rejected with `reason`, in the queue of the sample's type. */
function poison(type: SampleType, name: string, event: Json, reason: RegExp): Poison {
  const json = toJson(event);
  // PostgreSQL's JSON holds neither NUL nor lone surrogates: its queue refuses them when they are added.
  const isRedisOnly = /\\u0000|\\ud[89a-f]/.test(json);
  const only: Pick<Poison, 'only'> = isRedisOnly ? { only: 'redis' } : {};
  return { name: `${type}: ${name}`, json, reason, queue: queueOf[type], ...only };
}

/** The sample with one field changed. */
function spoilt(type: SampleType, path: string, value: Json, rule: string): Poison {
  const shown = value === undefined ? 'nothing' : toJson(value).slice(0, 50);
  return poison(type, `${path} is ${shown}`, changed(type, path, value), says(path, rule));
}

/** `data.field must be RULE`, for itself or among other problems. */
function says(path: string, rule: string): RegExp {
  const literal = `${path} must be ${rule}`.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(^|; )${literal}`, 'u');
}

/** An operation that is in the ledger with this revision before the corpus comes. */
export const KNOWN = { workOrderOperationId: 900_001, revision: 5 };

const missing = sampleTypes.flatMap((type) =>
  Object.entries(requiredFields[type]).map(([path, rule]) => spoilt(type, path, undefined, rule)),
);

const wrongTypes = [requiredFields, optionalFields].flatMap((fields) =>
  sampleTypes.flatMap((type) =>
    Object.entries(fields[type]).map(([path, rule]) => spoilt(type, path, [{}], rule)),
  ),
);

const unstorableOrTooLong = texts.flatMap(([type, path, rule, maxLength]) =>
  ['a\u0000b', 'a\ud800', '\udc00b', 'x'.repeat(maxLength + 1), '\u{1f527}'.repeat(maxLength + 1)].map(
    (text) => spoilt(type, path, text, rule),
  ),
);

const outOfRule = badValues.flatMap(([type, path, rule, values]) =>
  values.map((value) => spoilt(type, path, value, rule)),
);

const NO_OBJECT = /^event must be a JSON object/;
const noObjects: readonly Poison[] = [
  ...[42, 1.5, 'text', '', true, false].map((value) =>
    poison('completed', `the bare value ${toJson(value)}`, value, NO_OBJECT),
  ),
  poison('completed', 'the bare value 1e400', token('1e400'), NO_OBJECT),
  { ...poison('completed', 'null', null, NO_OBJECT), only: 'redis' },
  // BullMQ's backend for PostgreSQL reads null as an empty object.
  { ...poison('completed', 'null', null, says('type', 'one of')), only: 'postgres', listedAs: '{}' },
  poison('completed', 'an empty object', {}, says('type', 'one of')),
];

const NO_OBJECT_BUT_ARRAY = /^event must be a JSON object \(got an array of \d\)$/;
const arrays: readonly Poison[] = [
  ...[[], [[]], [1, 2], ['text'], [null], [samples.completed], [[samples.completed]]].map((value) => ({
    ...poison('completed', `the array ${toJson(value).slice(0, 50)}`, value, NO_OBJECT_BUT_ARRAY),
    isArray: true,
  })),
];

const INHERITED = '"__proto__":{"runTime":"1"},"constructor":{"prototype":{"runTime":"1"}},"toJSON":1,';
const prototypes: readonly Poison[] = [
  {
    ...poison('completed', 'all of it under __proto__', null, says('type', 'one of')),
    json: `{"__proto__":${toJson(samples.completed)}}`,
  },
  {
    ...poison('completed', 'a missing field under __proto__', null, says('data.runTime', RULES.hours)),
    json: toJson(changed('completed', 'data.runTime', undefined)).replace('"data":{', `"data":{${INHERITED}`),
  },
];

const nested = (depth: number) => token(`${'[1e400,'.repeat(depth)}0${']'.repeat(depth)}`);
const nesting: readonly Poison[] = [
  spoilt('completed', 'data.runTime', nested(400), RULES.hours),
  // PostgreSQL's JSON parser refuses such a depth.
  { ...spoilt('completed', 'data.runTime', nested(100_000), RULES.hours), only: 'redis' },
  {
    ...poison(
      'completed',
      'bad, beside an ignored field nested 100,000 deep',
      completion({ revision: 0, ignored: nested(100_000) }),
      says('data.revision', RULES.identifier),
    ),
    only: 'redis',
  },
];

const UNKNOWN_COMPANY = /^data\.database must be the code of a registered company \(got "NO-ONE"\)$/;
const unknownCompanies = sampleTypes.map((type) =>
  poison(type, 'of an unknown company', changed(type, 'data.database', 'NO-ONE'), UNKNOWN_COMPANY),
);

const wrongQueues: readonly Poison[] = sampleTypes.map((type) => {
  const queue = queueOf[type] === 'reference-data' ? 'work-order-operations' : 'reference-data';
  const reason = new RegExp(`^type \\S+ does not belong to queue ${queue}$`);
  return { ...poison(type, `in the queue ${queue}`, samples[type], reason), queue };
});

const CONFLICT =
  /^data\.revision must grow with every change \(got 5, which operation 900001 of GOOD has with other content\)/;
const conflicts: readonly Poison[] = [
  { runTime: 99 },
  { setupTime: null },
  { workOrderId: 99 },
  { productStructureVersionId: 99 },
  { completedAt: '2024-05-31T16:20:00.000001+02:00' },
].map((data) =>
  poison(
    'completed',
    `known revision with other ${toJson(data)}`,
    completion({ ...KNOWN, ...data }),
    CONFLICT,
  ),
);

/** What no producer should send, and some will. */
export const corpus: readonly Poison[] = [
  ...noObjects,
  ...arrays,
  ...missing,
  ...wrongTypes,
  ...unstorableOrTooLong,
  ...outOfRule,
  ...prototypes,
  ...nesting,
  ...unknownCompanies,
  ...wrongQueues,
  ...conflicts,
];

/** Job data that is no JSON, as another program may have written it into Redis. */
export const unreadable: readonly string[] = [
  'not JSON',
  '{',
  toJson(samples.completed).slice(0, -1),
  `\ufeff${toJson(samples.completed)}`,
  "{'type': 'work-order-operation.completed.v1'}",
  '[{"type":"work-order-operation.completed.v1"},]',
  'NaN',
  'undefined',
  '\u0000\u0001\u0002',
  '{"data":NaN}',
];
