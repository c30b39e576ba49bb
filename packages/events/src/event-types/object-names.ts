import * as z from 'zod';
import { describeValue, type EventProblem, eventProblem, words } from '../event-problem.js';
import { identifier, objectKey, optional } from '../kinds.js';

/**
 * The objects that events name by a number in `<name>Id` or by a key in `<name>Key`. True if an event that has these
 * fields must name the object.
 */
const OBJECTS = { product: true, productStructureVersion: true, workOrder: false, workOrderOperation: true };

export type ObjectName = keyof typeof OBJECTS;
type RequiredName = {
  [Name in ObjectName]: (typeof OBJECTS)[Name] extends true ? Name : never;
}[ObjectName];

type NameFields<Name extends ObjectName, Id extends z.ZodType> = {
  readonly [Field in `${Name}Id`]: z.ZodDefault<z.ZodNullable<Id>>;
} & { readonly [Field in `${Name}Key`]: z.ZodDefault<z.ZodNullable<typeof objectKey>> };

/**
 * Returns the two fields that name an object. An event has one of them; the other is read as null. defineEvent checks
 * this with findNameProblems, because a schema of zod does not run such a check if another field is wrong.
 * @param id the kind of the number
 */
export function namedBy<Name extends ObjectName>(
  name: Name,
  description: string,
): NameFields<Name, typeof identifier>;
export function namedBy<Name extends ObjectName, Id extends z.ZodType>(
  name: Name,
  description: string,
  id: Id,
): NameFields<Name, Id>;
export function namedBy(name: ObjectName, description: string, id: z.ZodType = identifier): object {
  return {
    [`${name}Id`]: optional(id).describe(description),
    [`${name}Key`]: optional(objectKey).describe(`the same by its key, in place of \`${name}Id\``),
  };
}

interface NamePlace {
  /** The names of the fields around it, the outermost first. */
  readonly within: readonly string[];
  readonly id: string;
  readonly key: string;
  readonly isRequired: boolean;
}

export function namePlacesIn(schema: z.ZodObject, within: readonly string[] = []): readonly NamePlace[] {
  const here = Object.entries(OBJECTS).flatMap(([name, isRequired]) =>
    `${name}Id` in schema.shape && `${name}Key` in schema.shape
      ? [{ within, id: `${name}Id`, key: `${name}Key`, isRequired }]
      : [],
  );
  const inner = Object.entries(schema.shape).flatMap(([name, field]) =>
    field instanceof z.ZodObject ? namePlacesIn(field, [...within, name]) : [],
  );
  return [...here, ...inner];
}

/** Finds the objects that an event names by both number and key, or by neither although it must. */
export function findNameProblems(places: readonly NamePlace[], event: unknown): EventProblem[] {
  return places.flatMap(({ within, id, key, isRequired }) => {
    const holder = within.reduce(fieldOf, event);
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return [];
    const isGiven = (name: string) => (fieldOf(holder, name) ?? null) !== null;
    const problemOf = (name: string, rule: EventProblem['words']['rule']) => [
      eventProblem([...within, name].join('.'), rule, describeValue(fieldOf(holder, name))),
    ];
    if (isGiven(id) && isGiven(key)) return problemOf(key, words('must be left out if {0} is given', id));
    if (isGiven(id) || isGiven(key) || !isRequired) return [];
    return problemOf(id, words('must be given unless {0} is', key));
  });
}

function fieldOf(holder: unknown, name: string): unknown {
  const isHolder = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name);
  return isHolder ? (holder as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The same rule as JSON Schema: exactly one of number and key, or at most one of them. */
export function nameRule({ id, key, isRequired }: Omit<NamePlace, 'within'>): z.core.JSONSchema.BaseSchema {
  const given = (name: string): z.core.JSONSchema.BaseSchema => ({
    required: [name],
    properties: { [name]: { not: { type: 'null' } } },
  });
  return isRequired ? { oneOf: [given(id), given(key)] } : { not: { allOf: [given(id), given(key)] } };
}

/** An object that has exactly one of number and key. */
export type Named<Name extends string> =
  | ({ readonly [Field in `${Name}Id`]: number } & { readonly [Field in `${Name}Key`]?: null | undefined })
  | ({ readonly [Field in `${Name}Key`]: string } & { readonly [Field in `${Name}Id`]?: null | undefined });

type NamedIn<Data> = RequiredName extends infer Name
  ? Name extends string
    ? `${Name}Id` extends keyof Data
      ? Name
      : never
    : never
  : never;

/** An object that has exactly one of number and key for each of these names. */
type AllNamed<Name extends string> = (Name extends string ? (named: Named<Name>) => void : never) extends (
  named: infer All,
) => void
  ? All
  : never;

type Unnamed<Data> = {
  [Field in keyof Data as Field extends `${RequiredName}${'Id' | 'Key'}` ? never : Field]: WithNames<
    Data[Field]
  >;
};

/** The type of what a producer may write: as the schema, but each object that must be named has a number or a key. */
export type WithNames<Data> = Data extends Date | string | number | boolean | null | undefined
  ? Data
  : [NamedIn<Data>] extends [never]
    ? Unnamed<Data>
    : Unnamed<Data> & AllNamed<NamedIn<Data>>;
