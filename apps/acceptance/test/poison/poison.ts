import type { QueueName } from '@takt/events';
import type { QueueStoreKind } from '../../src/test-stage.js';
import { changed, type Json, type SampleType, toJson } from './sample-events.js';

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
export const queueOf: Readonly<Record<SampleType, QueueName>> = {
  completed: OPERATIONS,
  reopened: OPERATIONS,
  structureVersion: 'reference-data',
  applicationVersion: 'reference-data',
};

/** `event`, to be rejected with `reason`, in the queue of the sample's type. */
export function poison(type: SampleType, name: string, event: Json, reason: RegExp): Poison {
  const json = toJson(event);
  // PostgreSQL's JSON holds neither NUL nor lone surrogates: its queue refuses them when they are added.
  const isRedisOnly = /\\u0000|\\ud[89a-f]/.test(json);
  const only: Pick<Poison, 'only'> = isRedisOnly ? { only: 'redis' } : {};
  return { name: `${type}: ${name}`, json, reason, queue: queueOf[type], ...only };
}

/** The sample with one field changed. */
export function spoilt(type: SampleType, path: string, value: Json, rule: string): Poison {
  const shown = value === undefined ? 'nothing' : toJson(value).slice(0, 50);
  return poison(type, `${path} is ${shown}`, changed(type, path, value), says(path, rule));
}

/** `data.field must be RULE`, for itself or among other problems. */
export function says(path: string, rule: string): RegExp {
  const literal = `${path} must be ${rule}`.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(^|; )${literal}`, 'u');
}
