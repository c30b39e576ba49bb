import type { Translations } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import type { ErrorCode, errorCatalogue } from '../errors/error-catalogue.js';
import type { ClientPermission, Duty } from '../rights.js';
import * as schema from '../schema.js';
import type { Browsing, QuickFilter, View } from './browsing.js';
import { expandableNodesOf, type Field, type Group, leavesOf, type Node, type SearchIndex } from './field.js';

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
  /**
   * Whether there may be so many rows that no page may look at all of them; absent: no. Then each field that orders them
   * has an index: company, sort key, key, of the rows that are served.
   */
  readonly isLong?: true;
  /** Whether texts of it, and with them its order, are other ones in each language; absent: no. */
  readonly isTranslated?: true;
  /** True: its rows depend on the person who asks (askedPerson). */
  readonly isOfPerson?: true;
  /** Absent: rows are read. */
  readonly computedRows?: ComputedRows;
}

/**
 * Rows that are computed when they are asked for. A page of them is found by its keys and by what orders them, and only its
 * own rows are computed whole.
 */
export interface ComputedRows {
  /** The table of one row, by its key. */
  readonly tableOf: (key: SQLWrapper) => SQLWrapper;
  /** The computed fields. Orders and filters of other fields are answered from `plainTable`. */
  readonly fields: ReadonlySet<Field>;
  /** The same rows with the columns that are stored, and no others. */
  readonly plainTable: SQLWrapper;
  /** Columns of the alias, by their names, that totals are made of. */
  readonly summed: readonly SQLWrapper[];
}

/** The parts of a resource that a period changes, which the parameters of definitions/period.ts ask for. */
export interface InPeriod {
  readonly source: Source;
  /** Absent: the same. */
  readonly fields?: readonly Node[];
  /** Absent: the same; undefined: none. */
  readonly totals?: Group | undefined;
  /** What a second period changes besides; absent: no two periods are compared. */
  readonly compared?: Compared;
}

/** A period beside another one. */
export interface Compared {
  readonly source: Source;
  /** Fields beside the others. */
  readonly added: readonly Node[];
  readonly totals: Group | undefined;
}

/** What the API makes an object of that no table holds: it has a function for each. */
export interface ComputedSource {
  readonly computed: 'metadata' | 'session';
}

/** What is asked with a resource beside what means the same everywhere, by a name without `$`. */
export interface ResourceParameter {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** One that finds something, for documentation. */
  readonly example: string;
  /** What it is where it is left out, if it is anything. */
  readonly byDefault?: string;
  /** All that it may be beside the values of those before it, all that there is beside none; absent: any text. */
  readonly known?: (before: ReadonlyMap<string, string>) => readonly string[];
  /** It is a month, `yyyy-MM`, not before that of the named parameter; absent: it is none. */
  readonly month?: { readonly notBefore?: string };
  /** What it has to be equal to in the rows of a list; absent: it does not choose rows. */
  readonly column?: SQLWrapper;
}

/** Another list, some rows of which belong to an object. */
interface OpenedList {
  /** The path of the list. */
  readonly path: string;
  /** The field of the list that holds the key of the object, by its name in `$filter`. */
  readonly field: string;
}

interface ResourceBase {
  /** What the service calls the resource in Resource-Id and Resource-Version. */
  readonly identifier: number;
  readonly version: number;
  /** The address below the base URL; {name} stands for a path parameter. */
  readonly path: string;
  /** The identifiers in its path, in order: what {name} stands for. */
  readonly pathParameters: readonly PathParameter[];
  /** Absent: it takes none. */
  readonly parameters?: readonly ResourceParameter[];
  /** XML element of one object. */
  readonly element: string;
  /** What people call the resource. */
  readonly title: Translations;
  /** What it tells, in one sentence for people. */
  readonly summary: Translations;
  readonly description: string;
  /** What an API client must be permitted to read it; undefined: nothing, a valid token is enough. */
  readonly clientPermission: ClientPermission | undefined;
  /** What a person must be trusted with to read it; undefined: nothing. */
  readonly duty: Duty | undefined;
  /** Another that is needed as well; absent: none. */
  readonly furtherDuty?: Duty;
  readonly fields: readonly Node[];
  /** HTML pages show these rows on the page of an object, and below the opened row of a list. */
  readonly opens?: OpenedList;
  /** The same of a period; absent: it knows none. */
  readonly inPeriod?: InPeriod;
}

export const timeFigures = ['planned', 'average', 'deviation', 'shortest', 'longest'] as const;
export type TimeFigure = (typeof timeFigures)[number];

/**
 * Figures of one kind of time that belong together and can be drawn on one scale. All are hours. What somebody lacks the
 * duty for is undefined.
 */
export interface TimeComparison extends Readonly<Record<TimeFigure, Field | undefined>> {
  /** As views call it. */
  readonly name: string;
  /** As the parameter of a distribution calls it. */
  readonly kind: 'run' | 'setup' | 'cleanup';
  /** What people call the kind of time. */
  readonly heading: Translations;
}

export interface ListResource extends ResourceBase {
  readonly kind: 'list';
  readonly source: Source;
  /** XML element around the items; its JSON name is that of the array. */
  readonly container: string;
  /** The object that the identifiers of the path name. If it does not exist, neither does the list. */
  readonly parent: StoredDetail | undefined;
  /** Unique identifier of a row, in a list with a parent beside what identifies that: makes every order total. */
  readonly key: Field;
  /** Orders the list before the key where nothing else is asked for; absent: the key alone does. */
  readonly firstOrder?: Field | undefined;
  /** How `firstOrder` and the key order the list where nothing else is asked for. */
  readonly keyDirection: 'asc' | 'desc';
  readonly defaultPageSize: number;
  readonly maximumPageSize: number;
  /** What `search` looks into, where it takes the digits of a number; empty: the resource takes no search. */
  readonly searched: readonly Field[];
  /** How the rows are found in whose texts, all those searched together, each of an array of patterns occurs. */
  readonly searchIndex?: SearchIndex | undefined;
  /** An array of the names most like what was sought, for a search that finds nothing; absent: there is none. */
  readonly similarNames?: ((sought: SQLWrapper) => SQLWrapper) | undefined;
  /**
   * Totals of all rows that filter and search leave, beside the pages: `source` of each field is an aggregate of columns of
   * the table. Absent: the list has none.
   */
  readonly totals?: Group | undefined;
  /** What is worth drawing beside a row. */
  readonly comparisons: readonly TimeComparison[];
  /** What people are offered besides the fields; absent: nothing. */
  readonly browsing?: Browsing;
  /** Address of an item's own page, where there is one: {} stands for the item key, {name} for a path parameter. */
  readonly itemPath: string | undefined;
  /** What the page of an item is found by; absent: the key. */
  readonly itemKey?: Field;
}

/** What {} stands for in the address of an item's own page. */
export function itemKeyOf({ itemKey, key }: ListResource): Field {
  return itemKey ?? key;
}

/** An identifier of the path of a request, by the name of its parameter, where a statement needs it. */
export const askedIdentifier = (name: string): SQLWrapper => sql`${sql.placeholder(`path_${name}`)}::bigint`;

/** A parameter that a resource takes of its own, by its name, where a statement needs it. */
export const askedParameter = (name: string): SQLWrapper => sql`${sql.placeholder(`own_${name}`)}::text`;

/** The company that a request asks for, where a statement needs it. */
export const askedCompany: SQLWrapper = sql`${sql.placeholder('company')}::integer`;

/** The number of the person who asks, where a statement needs it; null: the token is nobody's. */
export const askedPerson: SQLWrapper = sql`${sql.placeholder('person')}::integer`;

/** The language that a request asks for, where a statement makes a value of it. */
export const askedLanguage: SQLWrapper = sql`${sql.placeholder('language')}::text`;

export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly minimum: number;
  /** One that the demo data has, for documentation; absent: the one after the minimum. */
  readonly example?: number;
  readonly column: SQLWrapper;
}

interface DetailBase extends ResourceBase {
  readonly kind: 'detail';
  /** What is shown as figures against a plan, and by month where the object has months; absent: nothing. */
  readonly comparisons?: readonly TimeComparison[];
  /** The paths of what HTML pages show of the operations behind the comparisons: below the same identifiers. */
  readonly behind?: { readonly distribution: string; readonly operations: string };
}

/** One object that a table holds. */
export interface StoredDetail extends DetailBase {
  readonly source: Source;
  /** What is answered where there is no such object; the identifiers of the path are its parameters, by name. */
  readonly notFound: ErrorCode;
}

/** One object that no table holds: its fields have no source, and its path no identifiers. */
export interface ComputedDetail extends DetailBase {
  readonly source: ComputedSource;
  readonly notFound?: undefined;
}

export type DetailResource = StoredDetail | ComputedDetail;

export type Resource = ListResource | DetailResource;

export function isComputed(resource: Resource): resource is ComputedDetail {
  return 'computed' in resource.source;
}

/** What `$expand` can name of a resource, in the order in which it is served. */
export function expandableIn(resource: Resource): ReturnType<typeof expandableNodesOf> {
  const totals = resource.kind === 'list' && resource.totals !== undefined ? [resource.totals] : [];
  return expandableNodesOf([...resource.fields, ...totals]);
}

/** What is answered where the identifiers of the path name nothing; undefined where there are none. */
export function notFoundOf(resource: Resource): ErrorCode | undefined {
  return resource.kind === 'detail' ? resource.notFound : resource.parent?.notFound;
}

/** The path of one object, or of one list: the template with identifiers in place of their names. */
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

/** A list resource, as most are: below no identifier, in pages of 10 to 80, by its key upwards, not searched. */
export function listResource(
  definition: Omit<ListResource, ListDefault> & Partial<Pick<ListResource, ListDefault>>,
): ListResource {
  return {
    ...{ kind: 'list', pathParameters: [], parent: undefined, keyDirection: 'asc', itemPath: undefined },
    ...{ defaultPageSize: 10, maximumPageSize: 80, searched: [], comparisons: [] },
    ...definition,
  };
}

/** Where rows come from, as most do: one table, known as `listed`, all of which is served. */
export function storedIn(source: Pick<Source, 'table' | 'company'> & Partial<Source>): Source {
  return { alias: sql`listed`, joins: [], condition: undefined, sizeOf: undefined, ...source };
}

/** The errors that need no parameters but these. */
type ErrorCodeWithin<Name extends string> = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]['parameters'][number] extends Name ? Code : never;
}[ErrorCode];

interface DetailDefinition<Name extends string> extends Omit<StoredDetail, 'kind'> {
  readonly pathParameters: readonly (PathParameter & { readonly name: Name })[];
  readonly notFound: ErrorCodeWithin<Name>;
}

/** A detail resource. An error that its path parameters cannot fill does not compile as `notFound`. */
export function detailResource<const Name extends string>(definition: DetailDefinition<Name>): StoredDetail {
  return { kind: 'detail', ...definition };
}

/** A detail resource whose object is made for whoever asks. */
export function computedDetail(
  definition: Omit<ComputedDetail, 'kind' | 'pathParameters' | 'notFound'>,
): ComputedDetail {
  return { kind: 'detail', pathParameters: [], ...definition };
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

/**
 * The fields that both `$filter` and `$orderby` know, by their flat name in lower case: as specified, but for those that
 * are served on request only.
 */
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

/** The fields that `$filter` knows, by their names in it, as `browsing` calls them. */
export function browsedField(resource: Resource, name: string): Field | undefined {
  return filterFieldsOf(resource).get(name.toLowerCase());
}

/** The views of which the reader may know every field. */
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

/** The filters of which the reader may know the field. */
export function quickFiltersOf(resource: ListResource): readonly QuickFilter[] {
  return (resource.browsing?.filters ?? []).filter(
    ({ field }) => browsedField(resource, field) !== undefined,
  );
}
