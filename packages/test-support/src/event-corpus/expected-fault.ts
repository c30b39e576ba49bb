import type { Field } from './event-schema.js';

export interface CorpusEvent {
  /** The type of the event, or the type that it should have. */
  readonly type: string;
  readonly name: string;
  /** The event as JSON on one line. */
  readonly json: string;
}

/**
 * The fault that a bad event is expected to have, as it is reported: `field rule (got …)`. If the fault concerns the
 * event as a whole, the field is `event`.
 */
export interface ExpectedFault {
  readonly field: string;
  readonly rule: string;
  readonly got: string;
}

export interface BadEvent extends CorpusEvent {
  readonly faults: readonly ExpectedFault[];
  /**
   * True if only publishers refuse the event, because one kind of queue would refuse it. A worker that receives the
   * event accepts it.
   */
  readonly isRefusedByPublisherOnly?: boolean;
}

/** Returns the fault that is expected for a field whose value is this JSON text, or that has no value. */
export function faultOf(field: Field, value: string | undefined, types: readonly string[]): ExpectedFault {
  const rule = isOverlongDecimal(field, value)
    ? 'must be hours of at most 40 characters'
    : (instantRules[`${field.kind?.name} ${value}`] ?? ruleOf(field, types));
  return { field: field.path.join('.') || 'event', rule, got: shown(value) };
}

const YEARS = 'must be in the years 0001 to 9999 in every time zone';

/** The rules of instants that only their year makes invalid, by kind and value. */
const instantRules: Readonly<Record<string, string>> = {
  'instant "0001-01-01T00:00:00Z"': YEARS,
  'instant "9999-12-31T23:59:59Z"': YEARS,
  'pastInstant "0001-01-01T00:00:00Z"': YEARS,
  'pastInstant "9999-12-31T23:59:59Z"': YEARS,
  'pastInstant "2999-01-01T00:00:00Z"': 'must be at most 24 hours ahead of the clock',
};

/** Returns true if the value would be valid if it were shorter. */
function isOverlongDecimal({ kind }: Field, json = ''): boolean {
  return kind?.name === 'hours' && json.length > 42 && /^"0(?:\.\d+|0*1)"$/.test(json);
}

function ruleOf({ path, kind }: Field, types: readonly string[]): string {
  // If the type is not known, it is also unknown which type the event should have.
  const isType = path.join('.') === 'type';
  if (isType) return `must be one of ${types.map((type) => JSON.stringify(type)).join(', ')}`;
  return kind === undefined ? 'must be a JSON object' : `must be ${kind.schema.description}`;
}

const SHOWN_CHARACTERS = 80;

/**
 * Returns the value as a fault reports it: a short JSON text is unchanged, a long text is cut, and objects and arrays
 * are described in words.
 */
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
