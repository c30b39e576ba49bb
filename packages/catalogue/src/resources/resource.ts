import type { Translations } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import type { ErrorCode, errorCatalogue } from '../errors/error-catalogue.js';
import type { ClientPermission, Duty } from '../rights.js';
import * as schema from '../schema.js';
import type { Browsing, QuickFilter, View } from './browsing.js';
import { expandableNodesOf, type Field, type Group, leavesOf, type Node, type SearchIndex } from './field.js';

/** The rows of a resource. Table and joins are SQL with aliases, which the fields use. */
export interface Source {
  /** The table to filter, sort and page, e.g. takt.error_messages. */
  readonly table: SQLWrapper;
  readonly alias: SQLWrapper;
  /** LEFT JOIN ... ON ... with at most one row each, added to the rows of a page. */
  readonly joins: readonly SQLWrapper[];
  /** The company's column; absent if all companies share the rows. */
  readonly company: SQLWrapper | undefined;
  /** Holds for all served rows. */
  readonly condition: SQLWrapper | undefined;
  /** The stored number of rows of a company (see keptSize); absent: they are counted. */
  readonly sizeOf: ((company: SQLWrapper) => SQLWrapper) | undefined;
  /**
   * Too long for reading all rows for a page. Each field that sorts it has an index on company, sort key and key of the
   * served rows. Default: no.
   */
  readonly isLong?: true;
  /** Texts, and so their order, depend on the language. Default: no. */
  readonly isTranslated?: true;
  /** True: the rows depend on the person (askedPerson). */
  readonly isOfPerson?: true;
  /** Absent: rows are stored. */
  readonly computedRows?: ComputedRows;
}

/** Rows computed at each request. A page is found by keys and sort keys; only its own rows are computed completely. */
export interface ComputedRows {
  /** The table with one row, by key. */
  readonly tableOf: (key: SQLWrapper) => SQLWrapper;
  /** The computed fields. Sorting and filtering by other fields uses `plainTable`. */
  readonly fields: ReadonlySet<Field>;
  /** The same rows with their stored columns only. */
  readonly plainTable: SQLWrapper;
  /** The columns that totals need. */
  readonly summed: readonly SQLWrapper[];
}

/** The parts of a resource that differ for a period (see definitions/period.ts). */
export interface InPeriod {
  readonly source: Source;
  /** Absent: unchanged. */
  readonly fields?: readonly Node[];
  /** Absent: unchanged; undefined: none. */
  readonly totals?: Group | undefined;
  /** Further differences with a second period; absent: no comparison. */
  readonly compared?: Compared;
}

export interface Compared {
  readonly source: Source;
  readonly added: readonly Node[];
  readonly totals: Group | undefined;
}

/** The object is computed by a function of the API. */
export interface ComputedSource {
  readonly computed: 'metadata' | 'session';
}

/** A parameter of this resource, without `$`. */
export interface ResourceParameter {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A value that finds something, for documents. */
  readonly example: string;
  /** The value used if it is omitted. */
  readonly byDefault?: string;
  /** Its valid values, given the values of the parameters before it; absent: any text. */
  readonly known?: (before: ReadonlyMap<string, string>) => readonly string[];
  /** It is a month, `yyyy-MM`, not before that of the named parameter. */
  readonly month?: { readonly notBefore?: string };
  /** Selects the rows whose column equals it; absent: it selects no rows. */
  readonly column?: SQLWrapper;
}

/** A list with rows that belong to an object. */
interface OpenedList {
  readonly path: string;
  /** The list's field with the object's key, by its name in `$filter`. */
  readonly field: string;
}

interface ResourceBase {
  /** Served as Resource-Id; the version as Resource-Version. */
  readonly identifier: number;
  readonly version: number;
  /** Below the base URL; {name} is a path parameter. */
  readonly path: string;
  /** In the order of the path. */
  readonly pathParameters: readonly PathParameter[];
  /** Absent: none. */
  readonly parameters?: readonly ResourceParameter[];
  /** XML element of one object. */
  readonly element: string;
  readonly title: Translations;
  /** Its content, in one sentence for people. */
  readonly summary: Translations;
  readonly description: string;
  /** The permission that an API client needs; undefined: a valid token is enough. */
  readonly clientPermission: ClientPermission | undefined;
  /** The duty that a person needs; undefined: none. */
  readonly duty: Duty | undefined;
  /** A second required duty; absent: none. */
  readonly furtherDuty?: Duty;
  readonly fields: readonly Node[];
  /** Rows that HTML pages show on an object's page and below the opened row of a list. */
  readonly opens?: OpenedList;
  /** The variant for a period; absent: none. */
  readonly inPeriod?: InPeriod;
}

export const timeFigures = ['planned', 'average', 'deviation', 'shortest', 'longest'] as const;
export type TimeFigure = (typeof timeFigures)[number];

/** Figures of one kind of time on one scale, in hours. Hidden ones are undefined. */
export interface TimeComparison extends Readonly<Record<TimeFigure, Field | undefined>> {
  /** Its name in views. */
  readonly name: string;
  /** Its value in the parameter of a distribution. */
  readonly kind: 'run' | 'setup' | 'cleanup';
  readonly heading: Translations;
}

export interface ListResource extends ResourceBase {
  readonly kind: 'list';
  readonly source: Source;
  /** XML element around the items; JSON uses it for the array. */
  readonly container: string;
  /** The object in the path. If it does not exist, neither does the list. */
  readonly parent: StoredDetail | undefined;
  /** Unique in the list, together with the parent's key: makes each order total. */
  readonly key: Field;
  /** Default order, before the key; absent: the key alone. */
  readonly firstOrder?: Field | undefined;
  /** Direction of the default order. */
  readonly keyDirection: 'asc' | 'desc';
  readonly defaultPageSize: number;
  readonly maximumPageSize: number;
  /** Fields that `search` looks into, also by a number's digits; empty: no search. */
  readonly searched: readonly Field[];
  /** Finds rows whose searched texts together contain all of an array of patterns. */
  readonly searchIndex?: SearchIndex | undefined;
  /** SQL array of the names most similar to a search without results; absent: none. */
  readonly similarNames?: ((sought: SQLWrapper) => SQLWrapper) | undefined;
  /** Totals of all rows after filter and search: the `source` of each field is an aggregate. Absent: none. */
  readonly totals?: Group | undefined;
  /** Drawn next to a row. */
  readonly comparisons: readonly TimeComparison[];
  /** Presentation to people; absent: fields only. */
  readonly browsing?: Browsing;
  /** Address of an item's own page: {} is the item key, {name} a path parameter. Undefined: none. */
  readonly itemPath: string | undefined;
  /** The key in the address of an item's page; default the key. */
  readonly itemKey?: Field;
}

/** The field for {} in the address of an item's page. */
export function itemKeyOf({ itemKey, key }: ListResource): Field {
  return itemKey ?? key;
}

/** Placeholder for an identifier in the path, by the name of its parameter. */
export const requestedIdentifier = (name: string): SQLWrapper =>
  sql`${sql.placeholder(`path_${name}`)}::bigint`;

/** Placeholder for one of the resource's own parameters. */
export const requestedParameter = (name: string): SQLWrapper => sql`${sql.placeholder(`own_${name}`)}::text`;

/** Placeholder for the requested company. */
export const requestedCompany: SQLWrapper = sql`${sql.placeholder('company')}::integer`;

/** Placeholder for the person's number; null for a token without a person. */
export const requestingPerson: SQLWrapper = sql`${sql.placeholder('person')}::integer`;

/** Placeholder for the language, for values that depend on it. */
export const requestedLanguage: SQLWrapper = sql`${sql.placeholder('language')}::text`;

export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly minimum: number;
  /** A value that the demo data has, for documents; absent: the minimum plus one. */
  readonly example?: number;
  readonly column: SQLWrapper;
}

interface DetailBase extends ResourceBase {
  readonly kind: 'detail';
  /** Figures shown against a plan, also by month if the object has months; absent: none. */
  readonly comparisons?: readonly TimeComparison[];
  /** Paths of the operations behind the comparisons, with the same identifiers, for HTML pages. */
  readonly operationPaths?: { readonly distribution: string; readonly operations: string };
}

/** An object from a table. */
export interface StoredDetail extends DetailBase {
  readonly source: Source;
  /** The error if the object does not exist; the identifiers of the path are its parameters, by name. */
  readonly notFound: ErrorCode;
}

/** A computed object, without identifiers in its path. */
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

/** The error for unknown identifiers in the path; undefined without identifiers. */
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

/** The errors that need only these parameters. */
type ErrorCodeWithin<Name extends string> = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]['parameters'][number] extends Name ? Code : never;
}[ErrorCode];

interface DetailDefinition<Name extends string> extends Omit<StoredDetail, 'kind'> {
  readonly pathParameters: readonly (PathParameter & { readonly name: Name })[];
  readonly notFound: ErrorCodeWithin<Name>;
}

/** A detail resource. `notFound` must be an error that the path parameters can fill, or it does not compile. */
export function detailResource<const Name extends string>(definition: DetailDefinition<Name>): StoredDetail {
  return { kind: 'detail', ...definition };
}

/** A detail resource that is computed for each reader. */
export function computedDetail(
  definition: Omit<ComputedDetail, 'kind' | 'pathParameters' | 'notFound'>,
): ComputedDetail {
  return { kind: 'detail', pathParameters: [], ...definition };
}

/** The size in a column of takt.list_sizes; a company without a row has 0. */
export function keptSize(column: SQLWrapper): (company: SQLWrapper) => SQLWrapper {
  const { listSizes } = schema;
  return (company) =>
    sql`coalesce((SELECT ${column} FROM ${listSizes} WHERE ${listSizes.companyId} = ${company}), 0)`;
}

type FieldsByName = ReadonlyMap<string, Field>;

const queryFields = new WeakMap<Resource, FieldsByName>();
const filterFields = new WeakMap<Resource, FieldsByName>();

/**
 * Fields of both `$filter` and `$orderby`, by lower-case flat name, without those served on request only, as specified.
 */
export function queryFieldsOf(resource: Resource): FieldsByName {
  return namedFields(resource, queryFields, ({ queryName }) => queryName);
}

/** Fields of `$filter`, including those beyond the specification, by lower-case flat name. */
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

/** A field by its `$filter` name, as `browsing` refers to it. */
export function browsedField(resource: Resource, name: string): Field | undefined {
  return filterFieldsOf(resource).get(name.toLowerCase());
}

/** The views whose fields the reader may all see. */
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
