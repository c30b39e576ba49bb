import type { Translations } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import type { ErrorCode, errorCatalogue } from '../errors/error-catalogue.js';
import type { ClientPermission, Duty } from '../rights.js';
import * as schema from '../schema.js';
import type { Browsing, QuickFilter, View } from './browsing.js';
import { expandableNodesOf, type Field, type Group, leavesOf, type Node, type SearchIndex } from './field.js';

/**
 * The place from which the rows of a resource are read. Table and joins are SQL with aliases; the fields refer to these
 * aliases.
 */
export interface Source {
  /** The table whose rows are filtered, sorted and paged, e.g. takt.error_messages. */
  readonly table: SQLWrapper;
  readonly alias: SQLWrapper;
  /**
   * Joins of the form LEFT JOIN ... ON ..., each of which finds at most one row. They are joined only to the rows of a
   * page.
   */
  readonly joins: readonly SQLWrapper[];
  /** The column that contains the company. undefined if all companies share the rows. */
  readonly company: SQLWrapper | undefined;
  /** A condition that all served rows meet. undefined if all rows are served. */
  readonly condition: SQLWrapper | undefined;
  /**
   * Returns the SQL that reads the stored number of a company's rows (see keptSize). undefined if no number is stored;
   * then the rows are counted.
   */
  readonly sizeOf: ((company: SQLWrapper) => SQLWrapper) | undefined;
  /**
   * True if the table is so long that a page must not read all of its rows. Then each field by which the list can be
   * sorted has an index on company, sort key and key, which contains the served rows. Default: false.
   */
  readonly isLong?: true;
  /** True if texts, and therefore the order of texts, depend on the language. Default: false. */
  readonly isTranslated?: true;
  /** True if the rows depend on the person who sends the request (see requestingPerson). */
  readonly isOfPerson?: true;
  /** Describes the computation of rows. Absent if the rows are stored. */
  readonly computedRows?: ComputedRows;
}

/**
 * Describes rows that are computed for each request. First only the keys and the sort keys of the rows are determined,
 * to find the rows of a page. Then only these rows are computed completely.
 */
export interface ComputedRows {
  /** Returns the SQL of a table that contains a single row, given the key of the row. */
  readonly tableOf: (key: SQLWrapper) => SQLWrapper;
  /**
   * The fields that are computed. If a request sorts and filters only by other fields, `plainTable` is read instead.
   */
  readonly fields: ReadonlySet<Field>;
  /** A table of the same rows that has only their stored columns. */
  readonly plainTable: SQLWrapper;
  readonly summed: readonly SQLWrapper[];
}

/** The parts of a resource that are different if the request names a period (see definitions/period.ts). */
export interface InPeriod {
  readonly source: Source;
  /** The fields for a period. If absent, they are those of the resource. */
  readonly fields?: readonly Node[];
  /** The totals for a period; undefined if there are no totals. If absent, they are those of the resource. */
  readonly totals?: Group | undefined;
  /** SQL for the newest month of the company that has operations, as `yyyy-MM`; null if there is none. */
  readonly newestMonth?: SQLWrapper;
  /** The parts that are different if the request also names a second period. If absent, periods cannot be compared. */
  readonly compared?: Compared;
}

export interface Compared {
  readonly source: Source;
  readonly added: readonly Node[];
  readonly totals: Group | undefined;
}

export interface ComputedSource {
  readonly computed: 'metadata' | 'session';
}

/** A parameter that only this resource has. The name of such a parameter has no `$`. */
export interface ResourceParameter {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A value that finds something in the demo data. It is for documents. */
  readonly example: string;
  /** The value that is used if the request does not have the parameter. */
  readonly byDefault?: string;
  /**
   * Returns the valid values of the parameter, given the values of the preceding parameters. If absent, any text is
   * valid.
   */
  readonly known?: (before: ReadonlyMap<string, string>) => readonly string[];
  /** Set if the value is a month, `yyyy-MM`. The month must not be before the month in the parameter `notBefore`. */
  readonly month?: { readonly notBefore?: string };
  /**
   * The column by which the parameter selects rows: the column must equal the value. If absent, the parameter selects
   * no rows.
   */
  readonly column?: SQLWrapper;
}

/** A list in which some rows belong to an object of this resource. */
interface OpenedList {
  readonly path: string;
  /** The field of that list that contains the key of the object. It is given by its name in `$filter`. */
  readonly field: string;
}

interface ResourceBase {
  /** The number of the resource. It is served in the header Resource-Id; the version is served in Resource-Version. */
  readonly identifier: number;
  readonly version: number;
  /** The path below the base URL. A {name} in the path stands for a path parameter. */
  readonly path: string;
  readonly pathParameters: readonly PathParameter[];
  /** The parameters that only this resource has; absent if there are none. */
  readonly parameters?: readonly ResourceParameter[];
  /** The name of the XML element for one object. */
  readonly element: string;
  readonly title: Translations;
  /** One sentence that tells people what the resource contains. */
  readonly summary: Translations;
  readonly description: string;
  /** The permission that an API client needs to use the resource. If undefined, a valid token is enough. */
  readonly clientPermission: ClientPermission | undefined;
  /** The duty that a reader needs; undefined if none is needed. */
  readonly duty: Duty | undefined;
  /** A second duty that a reader needs; absent if one is enough. */
  readonly furtherDuty?: Duty;
  readonly fields: readonly Node[];
  /** A list whose rows are shown on HTML pages: on the page of an object, and below the expanded row of a list. */
  readonly opens?: OpenedList;
  /** The variant of the resource for a period; absent if the resource has no periods. */
  readonly inPeriod?: InPeriod;
}

export const timeFigures = ['planned', 'average', 'deviation', 'shortest', 'longest'] as const;
export type TimeFigure = (typeof timeFigures)[number];

/**
 * The figures of one kind of time. All of them are in hours, so that they can be drawn on one scale. A figure is
 * undefined if it is hidden from the reader.
 */
export interface TimeComparison extends Readonly<Record<TimeFigure, Field | undefined>> {
  readonly name: string;
  /** The kind of time, in the form in which the parameter of a distribution names it. */
  readonly kind: 'run' | 'setup' | 'cleanup';
  readonly heading: Translations;
}

export interface ListResource extends ResourceBase {
  readonly kind: 'list';
  readonly source: Source;
  /** The name of the XML element around the items, and of the array in JSON. */
  readonly container: string;
  /** The object that the path of the list identifies. If the object does not exist, the list does not exist either. */
  readonly parent: StoredDetail | undefined;
  /**
   * A field whose values are unique in the list, or unique together with the parent's key. It is added to every order,
   * so that no two rows are equal in the order.
   */
  readonly key: Field;
  /** The field by which rows are sorted by default, before the key. If absent, rows are sorted only by the key. */
  readonly firstOrder?: Field | undefined;
  readonly keyDirection: 'asc' | 'desc';
  readonly defaultPageSize: number;
  readonly maximumPageSize: number;
  /**
   * The fields in which `search` looks for words. A number is searched by its digits. If the array is empty, the list
   * cannot be searched.
   */
  readonly searched: readonly Field[];
  /** An index that finds the rows whose searched texts, taken together, contain every pattern of an array. */
  readonly searchIndex?: SearchIndex | undefined;
  /**
   * Returns the SQL of an array with the names that are most similar to a search. It is used if the search found no
   * rows. Absent if the list has no such names.
   */
  readonly similarNames?: ((sought: SQLWrapper) => SQLWrapper) | undefined;
  /**
   * The totals of all rows that match filter and search. The `source` of each field is an aggregate. Absent if the list
   * has no totals.
   */
  readonly totals?: Group | undefined;
  readonly comparisons: readonly TimeComparison[];
  /** Describes how the list is shown to people. If absent, only its fields are shown. */
  readonly browsing?: Browsing;
  /**
   * The address of an item's own page. In this address, {} stands for the key of the item, and {name} for a path
   * parameter. undefined if items have no page.
   */
  readonly itemPath: string | undefined;
  /** The field whose value is in the address of an item's page. If absent, this is `key`. */
  readonly itemKey?: Field;
}

export function itemKeyOf({ itemKey, key }: ListResource): Field {
  return itemKey ?? key;
}

/** The placeholder for an identifier in the path, given the name of the path parameter. */
export const requestedIdentifier = (name: string): SQLWrapper =>
  sql`${sql.placeholder(`path_${name}`)}::bigint`;

export const requestedParameter = (name: string): SQLWrapper => sql`${sql.placeholder(`own_${name}`)}::text`;

export const requestedCompany: SQLWrapper = sql`${sql.placeholder('company')}::integer`;

/**
 * The placeholder for the number (pid) of the person who sent the request. Its value is null if the token has no
 * person.
 */
export const requestingPerson: SQLWrapper = sql`${sql.placeholder('person')}::integer`;

export const requestedLanguage: SQLWrapper = sql`${sql.placeholder('language')}::text`;

export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly minimum: number;
  /** A value that exists in the demo data, for documents. If absent, documents use the minimum plus one. */
  readonly example?: number;
  readonly column: SQLWrapper;
}

interface DetailBase extends ResourceBase {
  readonly kind: 'detail';
  /**
   * The figures that are compared with a plan. If the object has months, they are also compared for each month. Absent
   * if there are none.
   */
  readonly comparisons?: readonly TimeComparison[];
  /**
   * The paths of the operations from which the comparisons are made. These paths contain the same identifiers. HTML
   * pages use them.
   */
  readonly operationPaths?: { readonly distribution: string; readonly operations: string };
}

export interface StoredDetail extends DetailBase {
  readonly source: Source;
  /** The error that is thrown if the object does not exist. Its parameters are the identifiers in the path, by name. */
  readonly notFound: ErrorCode;
}

/** An object that is computed for each request. Its path contains no identifiers. */
export interface ComputedDetail extends DetailBase {
  readonly source: ComputedSource;
  readonly notFound?: undefined;
}

export type DetailResource = StoredDetail | ComputedDetail;

export type Resource = ListResource | DetailResource;

export function isComputed(resource: Resource): resource is ComputedDetail {
  return 'computed' in resource.source;
}

/** The nodes of a resource that `$expand` can name, in the order in which they are served. */
export function expandableIn(resource: Resource): ReturnType<typeof expandableNodesOf> {
  const totals = resource.kind === 'list' && resource.totals !== undefined ? [resource.totals] : [];
  return expandableNodesOf([...resource.fields, ...totals]);
}

/**
 * The error that is thrown if the identifiers in the path are unknown. undefined if the path contains no identifiers.
 */
export function notFoundOf(resource: Resource): ErrorCode | undefined {
  return resource.kind === 'detail' ? resource.notFound : resource.parent?.notFound;
}

export function fillPath(template: string, identifiers: Readonly<Record<string, number | string>>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(identifiers[name] ?? placeholder),
  );
}

/** All live versions of a resource, the oldest first. */
export interface ResourceFamily {
  readonly identifier: number;
  readonly path: string;
  readonly versions: readonly [Resource, ...Resource[]];
}

type ListDefault =
  | ('kind' | 'pathParameters' | 'parent' | 'keyDirection' | 'itemPath')
  | ('defaultPageSize' | 'maximumPageSize' | 'searched' | 'comparisons');

/**
 * Defines a list. By default its path has no identifiers, its pages have 10 to 80 rows, its rows are sorted by the key,
 * and it cannot be searched.
 */
export function listResource(
  definition: Omit<ListResource, ListDefault> & Partial<Pick<ListResource, ListDefault>>,
): ListResource {
  return {
    kind: 'list',
    pathParameters: [],
    parent: undefined,
    keyDirection: 'asc',
    itemPath: undefined,
    defaultPageSize: 10,
    maximumPageSize: 80,
    searched: [],
    comparisons: [],
    ...definition,
  };
}

/**
 * Defines the source of a resource. By default this is a table with the alias `listed`, all of whose rows are served.
 */
export function storedIn(source: Pick<Source, 'table' | 'company'> & Partial<Source>): Source {
  return { alias: sql`listed`, joins: [], condition: undefined, sizeOf: undefined, ...source };
}

/** The errors that need no other parameters than these. */
type ErrorCodeWithin<Name extends string> = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]['parameters'][number] extends Name ? Code : never;
}[ErrorCode];

interface DetailDefinition<Name extends string> extends Omit<StoredDetail, 'kind'> {
  readonly pathParameters: readonly (PathParameter & { readonly name: Name })[];
  readonly notFound: ErrorCodeWithin<Name>;
}

/**
 * Defines an object. All parameters of the error `notFound` must be parameters of the path; otherwise the definition
 * does not compile.
 */
export function detailResource<const Name extends string>(definition: DetailDefinition<Name>): StoredDetail {
  return { kind: 'detail', ...definition };
}

export function computedDetail(
  definition: Omit<ComputedDetail, 'kind' | 'pathParameters' | 'notFound'>,
): ComputedDetail {
  return { kind: 'detail', pathParameters: [], ...definition };
}

/**
 * Returns the SQL that reads the stored number of rows from a column of takt.list_sizes. The number is 0 if a company
 * has no row in that table.
 */
export function keptSize(column: SQLWrapper): (company: SQLWrapper) => SQLWrapper {
  const { listSizes } = schema;
  return (company) =>
    sql`coalesce((SELECT ${column} FROM ${listSizes} WHERE ${listSizes.companyId} = ${company}), 0)`;
}

type FieldsByName = ReadonlyMap<string, Field>;

const queryFields = new WeakMap<Resource, FieldsByName>();
const filterFields = new WeakMap<Resource, FieldsByName>();

/**
 * The fields that both `$filter` and `$orderby` accept, by their flat names in lower case. By the specification, fields
 * that are served only on request are left out.
 */
export function queryFieldsOf(resource: Resource): FieldsByName {
  return namedFields(resource, queryFields, ({ queryName }) => queryName);
}

/**
 * The fields that `$filter` accepts, by their flat names in lower case. They include the additions to the
 * specification.
 */
export function filterFieldsOf(resource: Resource): FieldsByName {
  return namedFields(resource, filterFields, ({ queryName, filterName }) => queryName ?? filterName);
}

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

/** Finds a field by its name in `$filter`. `browsing` refers to fields by these names. */
export function browsedField(resource: Resource, name: string): Field | undefined {
  return filterFieldsOf(resource).get(name.toLowerCase());
}

/** The views that use only fields that the reader may see. */
export function viewsOf(resource: ListResource): readonly View[] {
  const knows = (name: string | undefined) =>
    name === undefined || browsedField(resource, name) !== undefined;
  const views = resource.browsing?.views ?? [];
  return views.filter(
    ({ only, order, comparison }) =>
      knows(only?.field) &&
      knows(order.field) &&
      (comparison === undefined || resource.comparisons.some(({ name }) => name === comparison)),
  );
}

/** The quick filters that use only fields that the reader may see. */
export function quickFiltersOf(resource: ListResource): readonly QuickFilter[] {
  return (resource.browsing?.filters ?? []).filter(
    ({ field }) => browsedField(resource, field) !== undefined,
  );
}
