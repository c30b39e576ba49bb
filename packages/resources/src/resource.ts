import type { ClientPermission, Duty } from '@takt/access';
import * as schema from '@takt/database/schema';
import type { ErrorCode, errorCatalogue, Translations } from '@takt/error-catalogue';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { type Field, leavesOf, type Node } from './field.js';

/** Where the rows of a resource come from. Table and joins are SQL with an alias; fields refer to those aliases. */
export interface Source {
  /** The table that is filtered, ordered and paged, e.g. takt.error_messages. */
  readonly table: SQLWrapper;
  /** The alias of that table, under which columns of `table` are known. */
  readonly alias: SQLWrapper;
  /** Added once the rows of a page are known: LEFT JOIN ... ON ..., of at most one row each. */
  readonly joins: readonly SQLWrapper[];
  /** Column with the company a row belongs to; absent for what all companies share. */
  readonly company: SQLWrapper | undefined;
  /** What holds for every row that is served. */
  readonly condition: SQLWrapper | undefined;
  /** The exact number of all rows of a company, where that is kept (see keptSize); else they are counted. */
  readonly sizeOf: ((company: SQLWrapper) => SQLWrapper) | undefined;
}

interface ResourceBase {
  /** What the service calls the resource in Resource-Id and Resource-Version. */
  readonly identifier: number;
  readonly version: number;
  /** The address below the base URL; {name} stands for a path parameter. */
  readonly path: string;
  /** XML element of one object. */
  readonly element: string;
  /** What people call the resource. */
  readonly title: Translations;
  /** What it tells, in one sentence for people. */
  readonly summary: Translations;
  readonly description: string;
  /** What an API client must be permitted to read it. */
  readonly clientPermission: ClientPermission;
  /** What a person must be trusted with to read it. */
  readonly duty: Duty;
  readonly fields: readonly Node[];
  readonly source: Source;
}

export const timeFigures = ['planned', 'average', 'deviation', 'shortest', 'longest'] as const;
export type TimeFigure = (typeof timeFigures)[number];

/**
 * Figures of one kind of time that belong together and can be drawn on one scale. All are hours. What somebody lacks the
 * duty for is undefined.
 */
export interface TimeComparison extends Readonly<Record<TimeFigure, Field | undefined>> {
  /** What people call the kind of time. */
  readonly heading: Translations;
}

export interface ListResource extends ResourceBase {
  readonly kind: 'list';
  /** XML element around the items; its JSON name is that of the array. */
  readonly container: string;
  /** Unique identifier of a row: makes every order total. */
  readonly key: Field;
  readonly defaultPageSize: number;
  readonly maximumPageSize: number;
  /** What `search` looks into, where it takes the digits of a number; empty: the resource takes no search. */
  readonly searched: readonly Field[];
  /** What is worth drawing beside a row. */
  readonly comparisons: readonly TimeComparison[];
  /** Address of an item's own page, in which {} stands for the key, where there is one. */
  readonly itemPath: string | undefined;
}

export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly minimum: number;
  readonly column: SQLWrapper;
}

export interface DetailResource extends ResourceBase {
  readonly kind: 'detail';
  readonly pathParameters: readonly PathParameter[];
  /** What is answered where there is no such object; the identifiers of the path are its parameters, by name. */
  readonly notFound: ErrorCode;
}

export type Resource = ListResource | DetailResource;

/** All live versions of a resource, oldest first. */
export interface ResourceFamily {
  readonly identifier: number;
  readonly path: string;
  readonly versions: readonly [Resource, ...Resource[]];
}

/** The errors that need no parameters but these. */
type ErrorCodeWithin<Name extends string> = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]['parameters'][number] extends Name ? Code : never;
}[ErrorCode];

interface DetailDefinition<Name extends string> extends Omit<DetailResource, 'kind'> {
  readonly pathParameters: readonly (PathParameter & { readonly name: Name })[];
  readonly notFound: ErrorCodeWithin<Name>;
}

/** A detail resource. An error that its path parameters cannot fill does not compile as `notFound`. */
export function detailResource<const Name extends string>(
  definition: DetailDefinition<Name>,
): DetailResource {
  return { kind: 'detail', ...definition };
}

/** The size of a list as a column of takt.list_sizes keeps it; a company without a row has no rows. */
export function keptSize(column: SQLWrapper): (company: SQLWrapper) => SQLWrapper {
  const { listSizes } = schema;
  return (company) =>
    sql`coalesce((SELECT ${column} FROM ${listSizes} WHERE ${listSizes.companyId} = ${company}), 0)`;
}

type FieldsByName = ReadonlyMap<string, Field>;

const queryFields = new WeakMap<Resource, FieldsByName>();
const filterFields = new WeakMap<Resource, FieldsByName>();

/** The fields that both `$filter` and `$orderby` know, as specified, by their flat name in lower case. */
export function queryFieldsOf(resource: Resource): FieldsByName {
  return namedFields(resource, queryFields, ({ queryName }) => queryName);
}

/** All fields that `$filter` knows, those beyond the specification too, by their flat name in lower case. */
export function filterFieldsOf(resource: Resource): FieldsByName {
  return namedFields(resource, filterFields, ({ queryName, filterName }) => queryName ?? filterName);
}

/** Found once for a resource. */
function namedFields(
  resource: Resource,
  found: WeakMap<Resource, FieldsByName>,
  nameOf: (field: Field) => string | undefined,
): FieldsByName {
  const known = found.get(resource);
  if (known !== undefined) return known;
  const fields = leavesOf(resource.fields).flatMap(({ node }) => (node.kind === 'field' ? [node] : []));
  const byName = new Map(
    fields.flatMap((field) => {
      const name = nameOf(field);
      return name === undefined ? [] : [[name.toLowerCase(), field] as const];
    }),
  );
  found.set(resource, byName);
  return byName;
}
