import type { Field } from './event-schema.js';

export interface CorpusEvent {
  /** The type of the event, or the one that it should have. */
  readonly type: string;
  readonly name: string;
  /** JSON on one line. */
  readonly json: string;
}

/**
 * The expected fault of a bad event, as it is reported: `field rule (got …)`; for the event as a whole the field is
 * `event`.
 */
export interface ExpectedFault {
  readonly field: string;
  readonly rule: string;
  readonly got: string;
}

export interface BadEvent extends CorpusEvent {
  readonly faults: readonly ExpectedFault[];
  /** True if only publishers refuse it, because one kind of queue would refuse it; a worker that gets it accepts it. */
  readonly isRefusedByPublisherOnly?: boolean;
}

/** The expected fault of a field with this JSON text, or without a value. */
export function faultOf(field: Field, value: string | undefined, types: readonly string[]): ExpectedFault {
  const rule = isOverlongDecimal(field, value)
    ? 'must be hours of at most 40 characters'
    : ruleOf(field, types);
  return { field: field.path.join('.') || 'event', rule, got: shown(value) };
}

/** True if the value would be valid if it were shorter. */
function isOverlongDecimal({ kind }: Field, json = ''): boolean {
  return kind?.name === 'hours' && json.length > 42 && /^"0(?:\.\d+|0*1)"$/.test(json);
}

function ruleOf({ path, kind }: Field, types: readonly string[]): string {
  // Without a known type, the expected type of an event is unknown.
  const isType = path.join('.') === 'type';
  if (isType) return `must be one of ${types.map((type) => JSON.stringify(type)).join(', ')}`;
  return kind === undefined ? 'must be a JSON object' : `must be ${kind.schema.description}`;
}

const SHOWN_CHARACTERS = 80;

/** The reported value: a short JSON text unchanged, a long one cut, and objects and arrays in words. */
export function shown(json: string | undefined): string {
  if (json === undefined) return 'nothing';
  const value: unknown = JSON.parse(json);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const text = JSON.stringify(value.slice(0, SHOWN_CHARACTERS));
  const isWhole = value.length <= SHOWN_CHARACTERS && text.length <= SHOWN_CHARACTERS;
  return isWhole ? text : `${text.slice(0, SHOWN_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
