import * as z from 'zod';
import {
  describeValue,
  type EventProblem,
  eventProblem,
  inEnglish,
  type RulePhrase,
  type Words,
  words,
} from '../event-problem.js';
import { instant, name, oneOf, uriReference } from '../kinds.js';
import type { QueueName } from '../queue/queue-names.js';
import { findNameProblems, namePlacesIn } from './object-names.js';

export const OBJECT_RULE = words('must be a JSON object');

/** Makes the schema of an object. Fields that are not listed are ignored. */
export function objectOf<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(fields, inEnglish(OBJECT_RULE));
}

/** The CloudEvents 1.0 attributes, in JSON structured mode, that every event has in addition to its type. */
export const envelopeFields = {
  specversion: oneOf('specversion', ['1.0']).describe('version of CloudEvents'),
  id: name.describe('names the event within its source'),
  source: uriReference.describe('where the event comes from'),
  time: instant.describe('when the event was made'),
};

export interface EventOrigin {
  readonly source: string;
  readonly id: string;
  readonly time: string;
}

export type ParseResult<Event> =
  | {
      readonly ok: true;
      readonly event: Event;
      readonly source: string;
      readonly id: string;
    }
  | { readonly ok: false; readonly problems: readonly EventProblem[] };

/**
 * The definition of an event type. The validator, the JSON Schema and the reference are derived from this definition.
 */
export interface EventDefinition<
  Type extends string,
  Event,
  Queue extends QueueName = QueueName,
  Shape extends z.ZodRawShape = z.ZodRawShape,
> {
  readonly type: Type;
  readonly queue: Queue;
  readonly about: string;
  /** Schema of the whole event as it is sent, including the envelope. */
  readonly schema: z.ZodObject<Shape>;
  /** Validates the whole event and returns its normalised form. */
  readonly parse: (value: unknown) => ParseResult<Event>;
}

/** The fields of the whole event as it is sent, by which the type of a producer's event is derived. */
export type EventShape<Type extends string, Fields extends z.ZodRawShape> = typeof envelopeFields & {
  readonly type: z.ZodType<Type, Type>;
  readonly data: z.ZodObject<Fields>;
};

export type EventOf<Definition> = Definition extends EventDefinition<string, infer Event> ? Event : never;

/**
 * Defines an event type by the fields of its `data`. `flatten` receives the validated data and returns the normalised
 * event without its type and origin.
 */
export function defineEvent<
  Type extends string,
  Queue extends QueueName,
  Fields extends z.ZodRawShape,
  Content extends object,
>(spec: {
  readonly type: Type;
  readonly queue: Queue;
  readonly about: string;
  readonly data: Fields;
  readonly flatten: (data: z.output<z.ZodObject<Fields>>) => Content;
}): EventDefinition<
  Type,
  { readonly type: Type; readonly origin: EventOrigin } & Readonly<Content>,
  Queue,
  EventShape<Type, Fields>
> {
  const { type, queue, about, flatten } = spec;
  const schema = objectOf({ ...envelopeFields, type: oneOf('type', [type]), data: objectOf(spec.data) });
  const compiled = z.compile(schema);
  const places = namePlacesIn(schema);
  const parse = (value: unknown) => {
    const result = compiled.safeParse(value, { reportInput: true });
    const ofNames = findNameProblems(places, value);
    if (!result.success) return { ok: false as const, problems: [...toProblems(result.error), ...ofNames] };
    if (ofNames.length > 0) return { ok: false as const, problems: ofNames };
    const { data, source, id, time } = result.data;
    return { ok: true as const, event: { type, origin: { source, id, time }, ...flatten(data) }, source, id };
  };
  return { type, queue, about, schema, parse };
}

export function toProblems(error: z.ZodError): EventProblem[] {
  return error.issues.map((issue) =>
    eventProblem(issue.path.join('.'), ruleOf(issue), describeValue(issue.input)),
  );
}

/**
 * Reads the broken rule from an issue. A kind of value stores the rule there; the only issues without a stored rule are
 * those that zod itself reports for a value that is not an object.
 */
function ruleOf(issue: z.core.$ZodIssue): Words<RulePhrase> {
  return issue.code === 'custom' ? issue.params?.['rule'] : OBJECT_RULE;
}
