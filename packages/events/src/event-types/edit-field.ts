import * as z from 'zod';
import { eventDefinitions } from './event-definitions.js';

/**
 * Fields that a bulk correction must not change: `specversion` has only one valid value, and `id` identifies the event.
 */
const FIXED = ['specversion', 'id'];

/** The paths of all fields of any event type, e.g. `data.database`. */
export const eventFieldPaths: readonly string[] = [
  ...new Set(eventDefinitions.flatMap(({ schema }) => pathsOf(schema))),
].filter((path) => !FIXED.includes(path));

function pathsOf(schema: z.ZodObject, prefix = ''): readonly string[] {
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    field instanceof z.ZodObject ? pathsOf(field, `${prefix}${name}.`) : [`${prefix}${name}`],
  );
}

/**
 * Returns a copy of an event in which one field has a new value. The new value is the text itself. If the field accepts
 * only the number, true, false or null that the text denotes, the new value is that instead. Returns undefined if the
 * event is not an object.
 */
export function withEventField(event: unknown, path: string, text: string): object | undefined {
  const names = path.split('.');
  const type = path === 'type' ? text : isObject(event) ? event['type'] : undefined;
  return replaced(event, names, typedValue(type, names, text));
}

function typedValue(type: unknown, names: readonly string[], text: string): unknown {
  const own = eventDefinitions.filter((definition) => definition.type === type);
  const fields = (own.length > 0 ? own : eventDefinitions).flatMap(
    ({ schema }) => fieldAt(schema, names) ?? [],
  );
  const isTaken = (value: unknown) => fields.some((field) => z.safeParse(field, value).success);
  const written = isTaken(text) ? [] : scalarIn(text).filter(isTaken);
  return written.length > 0 ? written[0] : text;
}

/**
 * Returns the number, true, false or null that the text denotes, as a list of one item; the list is empty if the text
 * denotes none of them.
 */
function scalarIn(text: string): readonly unknown[] {
  return /^(-?(0|[1-9]\d*)(\.\d+)?|true|false|null)$/.test(text) ? [JSON.parse(text)] : [];
}

function fieldAt(
  schema: z.ZodObject,
  [name = '', ...others]: readonly string[],
): z.core.$ZodType | undefined {
  const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  if (others.length === 0) return field;
  return field instanceof z.ZodObject ? fieldAt(field, others) : undefined;
}

function replaced(
  holder: unknown,
  [name = '', ...others]: readonly string[],
  value: unknown,
): object | undefined {
  if (!isObject(holder)) return undefined;
  if (others.length === 0) return { ...holder, [name]: value };
  const inner = replaced(holder[name], others, value);
  return inner === undefined ? undefined : { ...holder, [name]: inner };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
