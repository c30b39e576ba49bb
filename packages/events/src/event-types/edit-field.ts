import * as z from 'zod';
import type { RulePhrase, Words } from '../event-problem.js';
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

export interface FieldRule {
  readonly path: string;
  readonly rule: Words<RulePhrase>;
}

/**
 * Returns the fields of an event type with their rules, in the order of the contract, without those that a correction
 * must not change. Returns the fields that all types have if the type is unknown.
 */
export function fieldRulesOf(type: unknown): readonly FieldRule[] {
  const known = eventDefinitions.find((definition) => definition.type === type);
  const { schema, parse } = known ?? eventDefinitions[0];
  const paths = pathsOf(schema).filter((path) => !FIXED.includes(path));
  // An empty list breaks the rule of every field, so the problems of such an event tell the rules.
  const broken = paths.reduce<object>((event, path) => withPath(event, path.split('.'), []), {});
  const result = parse(broken);
  const rules = new Map(result.ok ? [] : result.problems.map(({ field, words }) => [field, words.rule]));
  return paths.flatMap((path) => {
    const rule = rules.get(path);
    return rule === undefined || (known === undefined && path.includes('.')) ? [] : [{ path, rule }];
  });
}

function withPath(holder: unknown, [name = '', ...others]: readonly string[], value: unknown): object {
  const fields = isObject(holder) ? holder : {};
  return { ...fields, [name]: others.length === 0 ? value : withPath(fields[name], others, value) };
}
