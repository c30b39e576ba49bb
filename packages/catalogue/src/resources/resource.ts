import type { Translations } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import type { ErrorCode, errorCatalogue } from '../errors/error-catalogue.js';
import type { ClientPermission, Duty } from '../rights.js';
import * as schema from '../schema.js';
import type { Browsing, QuickFilter, View } from './browsing.js';
import { expandableNodesOf, type Field, type Group, leavesOf, type Node, type SearchIndex } from './field.js';

/** The source of a resource's rows. Table and joins are SQL with aliases, which the fields refer to. */
export interface Source {
  /** The table that is filtered, sorted and paged, e.g. takt.error_messages. */
  readonly table: SQLWrapper;
  readonly alias: SQLWrapper;
  /** LEFT JOIN ... ON ... with at most one row each. They are added to the rows of a page only. */
  readonly joins: readonly SQLWrapper[];
  /** The column of the company; undefined if all companies share the rows. */
  readonly company: SQLWrapper | undefined;
  /** A condition that all served rows meet; undefined: all rows are served. */
  readonly condition: SQLWrapper | undefined;
  /** The stored number of a company's rows (see keptSize); undefined: the rows are counted. */
  readonly sizeOf: ((company: SQLWrapper) => SQLWrapper) | undefined;
  /**
   * True if the table is too long to read all of its rows for a page. Each field that it can be sorted by has an index
   * on company, sort key and key, which covers the served rows. Default: no.
   */
  readonly isLong?: true;
  /** True if texts, and therefore their order, depend on the language. Default: no. */
  readonly isTranslated?: true;
  /** True if the rows depend on the person (requestingPerson). */
  readonly isOfPerson?: true;
  /** Set if rows are computed; absent: rows are stored. */
  readonly computedRows?: ComputedRows;
}

/**
 * Describes rows that are computed at each request. The rows of a page are found by keys and sort keys; only these rows
 * are then computed completely.
 */
export interface ComputedRows {
  /** The table with a single row, given its key. */
  readonly tableOf: (key: SQLWrapper) => SQLWrapper;
  /** The computed fields. If only other fields are used to sort and filter, `plainTable` is read instead. */
  readonly fields: ReadonlySet<Field>;
  /** The same rows with their stored columns only. */
  readonly plainTable: SQLWrapper;
  /** The columns that totals need. */
  readonly summed: readonly SQLWrapper[];
}

/** The parts of a resource that differ for a period (see definitions/period.ts). */
export interface InPeriod {
  readonly source: Source;
  /** The fields of the variant; absent: unchanged. */
  readonly fields?: readonly Node[];
  /** The totals of the variant; absent: unchanged; undefined: no totals. */
  readonly totals?: Group | undefined;
  /** Further differences if there is a second period; absent: no comparison is possible. */
  readonly compared?: Compared;
}

export interface Compared {
  readonly source: Source;
  readonly added: readonly Node[];
  readonly totals: Group | undefined;
}

/** The source of an object that a function of the API computes. */
export interface ComputedSource {
  readonly computed: 'metadata' | 'session';
}

/** A parameter that only this resource has; its name has no `$`. */
export interface ResourceParameter {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A value that finds something in the demo data, for documents. */
  readonly example: string;
  /** The value that is used if the parameter is omitted. */
  readonly byDefault?: string;
  /** Returns the valid values, given the values of the preceding parameters; absent: any text is valid. */
  readonly known?: (before: ReadonlyMap<string, string>) => readonly string[];
  /** The value is a month, `yyyy-MM`, which is not before the month of the named parameter. */
  readonly month?: { readonly notBefore?: string };
  /** The parameter selects rows whose column equals its value; absent: it selects no rows. */
  readonly column?: SQLWrapper;
}

/** A list that has rows belonging to an object. */
interface OpenedList {
  readonly path: string;
  /** The list's field that contains the object's key, by its name in `$filter`. */
  readonly field: string;
}

interface ResourceBase {
  /** Served in the header Resource-Id; the version is served in Resource-Version. */
  readonly identifier: number;
  readonly version: number;
  /** The path below the base URL; {name} is a path parameter. */
  readonly path: string;
  /** The path parameters, in the order of the path. */
  readonly pathParameters: readonly PathParameter[];
  /** The resource's own parameters; absent: none. */
  readonly parameters?: readonly ResourceParameter[];
  /** Name of the XML element of one object. */
  readonly element: string;
  readonly title: Translations;
  /** The content of the resource, in one sentence for people. */
  readonly summary: Translations;
  readonly description: string;
  /** The permission that an API client needs; undefined: a valid token is enough. */
  readonly clientPermission: ClientPermission | undefined;
  /** The duty that the reader needs; undefined: none. */
  readonly duty: Duty | undefined;
  /** A second duty that the reader needs; absent: none. */
  readonly furtherDuty?: Duty;
  readonly fields: readonly Node[];
  /** A list whose rows HTML pages show on an object's page, and below the expanded row of a list. */
  readonly opens?: OpenedList;
  /** The variant of the resource for a period; absent: none. */
  readonly inPeriod?: InPeriod;
}

export const timeFigures = ['planned', 'average', 'deviation', 'shortest', 'longest'] as const;
export type TimeFigure = (typeof timeFigures)[number];

/**
 * The figures of one kind of time, in hours, which can be drawn on one scale. A figure is undefined if it is hidden.
 */
export interface TimeComparison extends Readonly<Record<TimeFigure, Field | undefined>> {
  /** The name by which views refer to the comparison. */
  readonly name: string;
  /** The kind of time, as the parameter of a distribution names it. */
  readonly kind: 'run' | 'setup' | 'cleanup';
  readonly heading: Translations;
}

export interface ListResource extends ResourceBase {
  readonly kind: 'list';
  readonly source: Source;
  /** Name of the XML element around the items, and of the JSON array. */
  readonly container: string;
  /** The object that the path identifies. If it does not exist, the list does not exist either. */
  readonly parent: StoredDetail | undefined;
  /** A field that is unique in the list (together with the parent's key), so that it makes each order total. */
  readonly key: Field;
  /** The field that rows are sorted by before the key by default; absent: only the key. */
  readonly firstOrder?: Field | undefined;
  /** Direction of the default order. */
  readonly keyDirection: 'asc' | 'desc';
  readonly defaultPageSize: number;
  readonly maximumPageSize: number;
  /** Fields that `search` looks into, numbers by their digits; empty: no search. */
  readonly searched: readonly Field[];
  /** An index that finds rows whose searched texts together contain every pattern of an array. */
  readonly searchIndex?: SearchIndex | undefined;
  /**
   * SQL for an array of the names that are most similar to a search, used if the search found nothing; absent: none.
   */
  readonly similarNames?: ((sought: SQLWrapper) => SQLWrapper) | undefined;
  /** Totals of all rows after filter and search. The `source` of each field is an aggregate. Absent: none. */
  readonly totals?: Group | undefined;
  /** Comparisons that pages can draw next to a row. */
  readonly comparisons: readonly TimeComparison[];
  /** Presentation of the list to people; absent: only its fields are shown. */
  readonly browsing?: Browsing;
  /**
   * Address of an item's own page: {} stands for the item's key, {name} for a path parameter. Undefined: items have no
   * page.
   */
  readonly itemPath: string | undefined;
  /** The field with the key in the address of an item's page, if it is not `key`. */
  readonly itemKey?: Field;
}

/** The field that replaces {} in the address of an item's page. */
export function itemKeyOf({ itemKey, key }: ListResource): Field {
  return itemKey ?? key;
}

/** Placeholder for an identifier in the path, by the name of its path parameter. */
export const requestedIdentifier = (name: string): SQLWrapper =>
  sql`${sql.placeholder(`path_${name}`)}::bigint`;

/** Placeholder for one of the resource's own parameters. */
export const requestedParameter = (name: string): SQLWrapper => sql`${sql.placeholder(`own_${name}`)}::text`;

/** Placeholder for the company of the request. */
export const requestedCompany: SQLWrapper = sql`${sql.placeholder('company')}::integer`;

/** Placeholder for the number (pid) of the person who sent the request; null for a token without a person. */
export const requestingPerson: SQLWrapper = sql`${sql.placeholder('person')}::integer`;

/** Placeholder for the language, for values that depend on it. */
export const requestedLanguage: SQLWrapper = sql`${sql.placeholder('language')}::text`;

export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly minimum: number;
  /** A value that exists in the demo data, for documents; absent: the minimum plus one. */
  readonly example?: number;
  readonly column: SQLWrapper;
}

interface DetailBase extends ResourceBase {
  readonly kind: 'detail';
  /** Figures that are compared with a plan, and also by month if the object has months; absent: none. */
  readonly comparisons?: readonly TimeComparison[];
  /** Paths of the operations that the comparisons are made of, with the same identifiers, for HTML pages. */
  readonly operationPaths?: { readonly distribution: string; readonly operations: string };
}

/** An object that is read from a table. */
export interface StoredDetail extends DetailBase {
  readonly source: Source;
  /** The error if the object does not exist. Its parameters are the identifiers in the path, by name. */
  readonly notFound: ErrorCode;
}

/** An object that is computed. Its path has no identifiers. */
export interface ComputedDetail extends DetailBase {
  readonly source: ComputedSource;
  readonly notFound?: undefined;
}

export type DetailResource = StoredDetail | ComputedDetail;

export type Resource = ListResource | DetailResource;

export function isComputed(resource: Resource): resource is ComputedDetail {
  return 'computed' in resource.source;
}

/** The nodes that `$expand` can name, in the order in which they are served. */
export function expandableIn(resource: Resource): ReturnType<typeof expandableNodesOf> {
  const totals = resource.kind === 'list' && resource.totals !== undefined ? [resource.totals] : [];
  return expandableNodesOf([...resource.fields, ...totals]);
}

/** The error for unknown identifiers in the path; undefined if the path has no identifiers. */
export function notFoundOf(resource: Resource): ErrorCode | undefined {
  return resource.kind === 'detail' ? resource.notFound : resource.parent?.notFound;
}

/** Fills identifiers into the template of a path. */
export function fillPath(template: string, identifiers: Readonly<Record<string, number>>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(identifiers[name] ?? placeholder),
  );
}

/** All live versions of a resource, oldest first. */
export interface ResourceFamily {
  readonly identifier: number;
  readonly path: string;
  readonly versions: readonly [Resource, ...Resource[]];
}

type ListDefault =
  | ('kind' | 'pathParameters' | 'parent' | 'keyDirection' | 'itemPath')
  | ('defaultPageSize' | 'maximumPageSize' | 'searched' | 'comparisons');

/**
 * A list resource with the usual defaults: no identifiers in its path, pages of 10 to 80, sorted by its key, no search.
 */
export function listResource(
  definition: Omit<ListResource, ListDefault> & Partial<Pick<ListResource, ListDefault>>,
): ListResource {
  return {
    ...{ kind: 'list', pathParameters: [], parent: undefined, keyDirection: 'asc', itemPath: undefined },
    ...{ defaultPageSize: 10, maximumPageSize: 80, searched: [], comparisons: [] },
    ...definition,
  };
}

/** A source with the usual defaults: one table with the alias `listed`, all of which is served. */
export function storedIn(source: Pick<Source, 'table' | 'company'> & Partial<Source>): Source {
  return { alias: sql`listed`, joins: [], condition: undefined, sizeOf: undefined, ...source };
}

/** The errors that need no parameters except these. */
type ErrorCodeWithin<Name extends string> = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]['parameters'][number] extends Name ? Code : never;
}[ErrorCode];

interface DetailDefinition<Name extends string> extends Omit<StoredDetail, 'kind'> {
  readonly pathParameters: readonly (PathParameter & { readonly name: Name })[];
  readonly notFound: ErrorCodeWithin<Name>;
}

/**
 * A detail resource. `notFound` must be an error whose parameters all are path parameters; otherwise the definition
 * does not compile.
 */
export function detailResource<const Name extends string>(definition: DetailDefinition<Name>): StoredDetail {
  return { kind: 'detail', ...definition };
}

/** A detail resource that is computed for each reader. */
export function computedDetail(
  definition: Omit<ComputedDetail, 'kind' | 'pathParameters' | 'notFound'>,
): ComputedDetail {
  return { kind: 'detail', pathParameters: [], ...definition };
}

/** The stored number of rows, from a column of takt.list_sizes; 0 for a company without a row there. */
export function keptSize(column: SQLWrapper): (company: SQLWrapper) => SQLWrapper {
  const { listSizes } = schema;
  return (company) =>
    sql`coalesce((SELECT ${column} FROM ${listSizes} WHERE ${listSizes.companyId} = ${company}), 0)`;
}

type FieldsByName = ReadonlyMap<string, Field>;

const queryFields = new WeakMap<Resource, FieldsByName>();
const filterFields = new WeakMap<Resource, FieldsByName>();

/**
 * Fields that both `$filter` and `$orderby` accept, by flat name in lower case. As specified, fields that are served on
 * request only are left out.
 */
export function queryFieldsOf(resource: Resource): FieldsByName {
  return namedFields(resource, queryFields, ({ queryName }) => queryName);
}

/** Fields that `$filter` accepts, including additions to the specification, by flat name in lower case. */
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

/** Finds a field by its `$filter` name, which `browsing` uses to refer to fields. */
export function browsedField(resource: Resource, name: string): Field | undefined {
  return filterFieldsOf(resource).get(name.toLowerCase());
}

/** The views for which the reader may see all fields. */
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

/** The quick filters whose fields the reader may see. */
export function quickFiltersOf(resource: ListResource): readonly QuickFilter[] {
  return (resource.browsing?.filters ?? []).filter(
    ({ field }) => browsedField(resource, field) !== undefined,
  );
}
