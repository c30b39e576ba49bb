import type { Field } from './event-schema.js';

export interface CorpusEvent {
  /** The type that it is of, or of which it was to be. */
  readonly type: string;
  readonly name: string;
  /** On one line. */
  readonly json: string;
}

/** A fault as it is told of a bad event: `field rule (got …)`, where the event as a whole is the field `event`. */
export interface ExpectedFault {
  readonly field: string;
  readonly rule: string;
  readonly got: string;
}

export interface BadEvent extends CorpusEvent {
  readonly faults: readonly ExpectedFault[];
  /** Whoever publishes refuses it, since one queue would; a worker that is given it all the same takes it. */
  readonly isRefusedByPublisherOnly?: boolean;
}

/** What is told of a field that holds this JSON text, or nothing. */
export function faultOf(field: Field, value: string | undefined, types: readonly string[]): ExpectedFault {
  const rule = isOverlongDecimal(field, value)
    ? 'must be hours of at most 40 characters'
    : ruleOf(field, types);
  return { field: field.path.join('.') || 'event', rule, got: shown(value) };
}

/** Such as there could be, were it shorter. */
function isOverlongDecimal({ kind }: Field, json = ''): boolean {
  return kind?.name === 'hours' && json.length > 42 && /^"0(?:\.\d+|0*1)"$/.test(json);
}

function ruleOf({ path, kind }: Field, types: readonly string[]): string {
  // Of an event without a known type nobody can say which type it should have.
  const isType = path.join('.') === 'type';
  if (isType) return `must be one of ${types.map((type) => JSON.stringify(type)).join(', ')}`;
  return kind === undefined ? 'must be a JSON object' : `must be ${kind.schema.description}`;
}

const SHOWN_CHARACTERS = 80;

/** What was there: a short JSON text as it is, a long one cut, and in words what has parts. */
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
