import { isPair, isScalar, parseDocument, type Scalar, stringify, visit } from 'yaml';
import * as z from 'zod';
import { FIELDS, type ImportedKind, kindOfField, REQUIRED } from './fields.js';

/** Thrown if a file or its mapping cannot be used. The message says what is wrong, where, and what to do. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const values = z.union([scalar, z.array(scalar)]).transform((value) => [value].flat());
const column = z.string().min(1);

/** Units of numbers, and the forms of durations that are written with colons or as ISO 8601. */
export const UNITS = ['s', 'min', 'h', 'd', 'hh:mm', 'mm:ss', 'hh:mm:ss', 'd.hh:mm:ss', 'iso8601'] as const;
export type Unit = (typeof UNITS)[number];
const unit = z.enum(UNITS);
const factor = z.union([z.number().positive(), z.strictObject({ column })]);

const instantParts = { format: z.string().min(1).optional(), zone: z.string().min(1).optional() };
const conditions = z.record(
  z.string(),
  z.lazy(() => condition),
);
const instantSource = z.union([
  column,
  z.strictObject({ column, ...instantParts, where: conditions.optional() }),
  z.strictObject({ date: column, time: column, ...instantParts }),
]);

const condition = z.union(
  [
    values.transform((is) => ({ is })),
    z.strictObject({ is: values }),
    z.strictObject({ not: values }),
    z.strictObject({ filled: z.boolean() }),
  ],
  { error: 'must be a value, a list of values, {not: values} or {filled: true}' },
);

/** Where the value of a field comes from. Plain text names a column, or is a template with columns in braces. */
const source = z.union(
  [
    z.string().min(1),
    z.number(),
    z.strictObject({ constant: scalar }),
    z.strictObject({
      column,
      ...instantParts,
      where: conditions.optional(),
      unit: z.union([unit, z.strictObject({ column, map: z.record(z.string(), unit) })]).optional(),
      per: factor.optional(),
      times: factor.optional(),
    }),
    z.strictObject({ date: column, time: column, ...instantParts }),
    z.strictObject({ from: instantSource, to: instantSource }),
  ],
  {
    error:
      'must be a column, a template, a number, {constant}, {column, unit, per, times, format, zone}, {date, time} or {from, to}',
  },
);

const mappingSchema = z.strictObject({
  what: z.enum(['operations', 'plans']),
  file: z
    .strictObject({
      encoding: z.string().default('auto'),
      delimiter: z.string().default('auto'),
      decimal: z.enum(['auto', '.', ',']).default('auto'),
      sheet: z.string().default('auto'),
      header: z
        .union([z.literal('auto'), z.literal('none'), z.int().min(1), z.array(z.int().min(1)).min(1).max(3)])
        .default('auto'),
      fill: z.array(column).default([]),
    })
    .prefault({}),
  columns: z.record(z.string(), source),
  where: z.record(z.string(), condition).default({}),
  combine: z.enum(['error', 'sum', 'last']).default('error'),
});

export type Mapping = z.output<typeof mappingSchema>;
export type Source = z.output<typeof source>;
export type InstantSource = z.output<typeof instantSource>;
export type Condition = z.output<typeof condition>;

/** Matches a column in a template. */
export const PLACE = /\{([^{}]+)\}/g;

/** Reads a mapping. Throws an ImportError that lists everything that is wrong. */
export function parseMapping(text: string): Mapping {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [broken] = document.errors;
  if (broken !== undefined) throw new ImportError(`the mapping is not YAML: ${broken.message.trimEnd()}`);
  let value: unknown;
  try {
    // Aliases are refused, because a few nested ones can stand for gigabytes.
    visit(document, { Scalar: keepSpelling });
    value = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new ImportError(`the mapping cannot be used: ${(error as Error).message}`);
  }
  return checkMapping(value);
}

/** Values of cells are compared as they are written: 010 is not 10, and 1.10 not 1.1. */
function keepSpelling(_key: unknown, scalar: Scalar, path: readonly unknown[]): void {
  const keys = path.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []));
  const isCell = keys.some((key) => key === 'where' || key === 'constant') && keys.at(-1) !== 'filled';
  if (isCell && scalar.source !== undefined) scalar.value = scalar.source;
}

function checkMapping(value: unknown): Mapping {
  const result = mappingSchema.safeParse(value);
  if (!result.success) {
    const problems = result.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'mapping'}: ${message}`,
    );
    throw new ImportError(`the mapping cannot be used: ${problems.join('; ')}`);
  }
  const problems = [...findFieldProblems(result.data)];
  if (problems.length > 0) throw new ImportError(`the mapping cannot be used: ${problems.join('; ')}`);
  return result.data;
}

function* findFieldProblems({ what, columns, combine }: Mapping): Generator<string> {
  for (const [field, from] of Object.entries(columns)) {
    const isConstant = typeof from === 'number' || (typeof from === 'object' && 'constant' in from);
    if (combine === 'sum' && isConstant && kindOfField(what, field) === 'duration') {
      yield `columns.${field}: a constant would be added for each line; use combine: last, or a column`;
    }
    const problem = findProblem(what, field, from);
    if (problem !== undefined) yield `columns.${field}: ${problem}`;
  }
  for (const group of REQUIRED[what]) {
    const given = group.filter((field) => Object.hasOwn(columns, field));
    if (given.length === 0) yield `columns: ${group.join(' or ')} is missing`;
    if (given.length > 1) yield `columns: ${given.join(' and ')} exclude each other`;
  }
}

function findProblem(what: ImportedKind, field: string, from: Source): string | undefined {
  const kind = kindOfField(what, field);
  if (kind === undefined) {
    return `no such field of ${what}; the fields are ${Object.keys(FIELDS[what]).join(', ')}`;
  }
  if (!canFeed(kind, from)) return `must be ${WAYS[kind] ?? 'a column, a template or a constant'}`;
  const hasNoUnit = typeof from === 'object' && 'column' in from && from.unit === undefined;
  return kind === 'duration' && hasNoUnit ? `needs a unit, one of ${UNITS.join(', ')}` : undefined;
}

const WAYS: Readonly<Record<string, string>> = {
  duration: '{column, unit}, {from, to} or {constant} in hours',
  instant: 'a column, {column, format, zone} or {date, time}',
};

/** Returns true if a field of this kind can have its value from this source. */
function canFeed(kind: string, from: Source): boolean {
  if (typeof from === 'string') return kind !== 'duration';
  if (typeof from === 'number' || 'constant' in from) return kind !== 'instant';
  if ('from' in from) return kind === 'duration';
  if ('date' in from) return kind === 'instant';
  const isOfInstant = (from.format ?? from.zone) !== undefined;
  const isOfDuration = (from.unit ?? from.per ?? from.times) !== undefined;
  const isConditional = from.where !== undefined && kind !== 'instant' && kind !== 'duration';
  return (!isOfInstant || kind === 'instant') && (!isOfDuration || kind === 'duration') && !isConditional;
}

/** Parts of a mapping whose texts are no columns. */
const NO_COLUMNS = new Set(['constant', 'format', 'zone', 'map']);

export function columnsOf({
  file,
  columns,
  where,
}: Pick<Mapping, 'file' | 'columns' | 'where'>): ReadonlySet<string> {
  return new Set([
    ...file.fill,
    ...Object.keys(where),
    ...Object.values(columns).flatMap((source) => namesIn(source)),
  ]);
}

/** Only the text of a whole source may be a template. */
function namesIn(value: unknown, mayBeTemplate = true): readonly string[] {
  if (typeof value === 'string') {
    const places = mayBeTemplate ? [...value.matchAll(PLACE)].map(([, name = '']) => name) : [];
    return places.length > 0 ? places : [value];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (NO_COLUMNS.has(key) || (key === 'unit' && typeof part === 'string')) return [];
    return key === 'where' ? Object.keys(part) : namesIn(part, false);
  });
}

/** Writes a mapping as YAML. Settings that have their default are left out. */
export function formatMapping({ what, file, columns, where, combine }: Partial<Mapping>): string {
  const isSet = (value: unknown) => value !== 'auto' && !(Array.isArray(value) && value.length === 0);
  const settings = Object.fromEntries(Object.entries(file ?? {}).filter(([, value]) => isSet(value)));
  const written = {
    what,
    ...(Object.keys(settings).length > 0 && { file: settings }),
    columns,
    ...(Object.keys(where ?? {}).length > 0 && { where }),
    ...(combine !== 'error' && { combine }),
  };
  return stringify(written, { lineWidth: 0 });
}
