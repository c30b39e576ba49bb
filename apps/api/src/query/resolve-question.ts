import { type ErrorCode, type ErrorParameters, ServiceError } from '@takt/catalogue/errors';
import {
  type DetailResource,
  type ListResource,
  type Node,
  notFoundOf,
  type Resource,
} from '@takt/catalogue/resources';
import { excerpt, type QueryOptions } from '@takt/query';
import type { Language } from '@takt/texts';
import type { ResolvedFilter } from './condition.js';
import { decodePageKey, type KeyedQuery, type PageStart } from './page-key.js';
import { type OrderTerm, resolveExpansion, resolveOrder, resolveSelection } from './resolve-fields.js';
import { resolveFilter } from './resolve-filter.js';

/** The identifiers in the path by name, as the client wrote them. */
type PathParameters = Readonly<Record<string, string>>;
type Identifiers = Readonly<Record<string, number>>;

/** The parts of a request that determine rows in addition to its options. */
interface QuestionContext {
  readonly companyId: number;
  /** Null: the token has no person. */
  readonly pid: number | null;
  readonly pathParameters: PathParameters;
  /** The language of texts, and of their order. */
  readonly language: Language;
}

/** Resolves the names of a request in the definition of its resource. Throws a ServiceError. */
export function resolveQuestion(
  resource: Resource,
  options: QueryOptions,
  context: QuestionContext,
): ListQuestion | DetailQuestion {
  return resource.kind === 'list'
    ? resolveList(resource, options, context)
    : resolveDetail(resource, options, context);
}

/** A resolved request for a list, with its decoded page key. */
export interface ListQuestion {
  readonly kind: 'list';
  readonly resource: ListResource;
  readonly options: QueryOptions;
  readonly companyId: number;
  readonly pid: number | null;
  readonly identifiers: Identifiers;
  /** Ends with the key; later terms have no effect. */
  readonly order: readonly OrderTerm[];
  readonly filter: ResolvedFilter | undefined;
  /** undefined: everything. */
  readonly selection: ReadonlySet<Node> | undefined;
  readonly expansion: ReadonlySet<string>;
  /** The query that the page keys of this request belong to. */
  readonly keyed: KeyedQuery;
  readonly start: PageStart;
}

/**
 * Resolves a request for a list. Throws a ServiceError for an invalid identifier or name, a value of the wrong type, or
 * a page key of another query.
 */
export function resolveList(
  resource: ListResource,
  options: QueryOptions,
  { companyId, pid, pathParameters, language }: QuestionContext,
): ListQuestion {
  const identifiers = readIdentifiers(resource, pathParameters);
  const order = resolveOrder(resource, options.orderBy?.items ?? []);
  const filter =
    options.filter === undefined ? undefined : resolveFilter(resource, options.filter.expression);
  const expansion = resolveExpansion(resource, options.expand);
  const selection = resolveSelection(resource, options.select);
  const bound = [...Object.values(identifiers), ...[...options.own].flat()];
  const keyed: KeyedQuery = {
    resource: `${resource.identifier}/${resource.version}`,
    identifiers: bound.length === 0 ? undefined : bound,
    companyId: resource.source.company === undefined ? undefined : companyId,
    filter: options.filter?.text ?? '',
    orderBy: order.map(({ field, direction }) => `${field.name} ${direction}`).join(),
    search: options.search.join(' '),
    language: resource.source.isTranslated ? language : undefined,
  };
  const fields = order.map(({ field }) => field);
  const start: PageStart =
    options.pageKey === undefined ? { kind: 'first' } : decodePageKey(options.pageKey, keyed, fields);
  return expectPossible({
    kind: 'list',
    resource,
    options,
    companyId,
    pid,
    identifiers,
    order,
    filter,
    selection,
    expansion,
    keyed,
    start,
  });
}

/** A resolved request for an object. */
export interface DetailQuestion {
  readonly kind: 'detail';
  readonly resource: DetailResource;
  readonly options: QueryOptions;
  readonly companyId: number;
  readonly pid: number | null;
  readonly identifiers: Identifiers;
  /** undefined: everything. */
  readonly selection: ReadonlySet<Node> | undefined;
  readonly expansion: ReadonlySet<string>;
}

/** Resolves a request for an object. Throws a ServiceError for an invalid identifier or name. */
function resolveDetail(
  resource: DetailResource,
  options: QueryOptions,
  { companyId, pid, pathParameters }: QuestionContext,
): DetailQuestion {
  const identifiers = readIdentifiers(resource, pathParameters);
  const selection = resolveSelection(resource, options.select);
  const expansion = resolveExpansion(resource, options.expand);
  return expectPossible({
    kind: 'detail',
    resource,
    options,
    companyId,
    pid,
    identifiers,
    selection,
    expansion,
  });
}

/**
 * Throws the resource's not-found error for an identifier above 2^53-1: it could not be bound exactly, and no such
 * object exists.
 */
function expectPossible<Question extends Identified>(question: Question): Question {
  if (!Object.values(question.identifiers).every(Number.isSafeInteger)) throw notFound(question);
  return question;
}

/** Reads the identifiers of a path. Throws invalidIdentifier unless each is an integer not less than its minimum. */
function readIdentifiers({ pathParameters }: Resource, found: PathParameters): Identifiers {
  return Object.fromEntries(
    pathParameters.map(({ name, minimum }) => {
      const text = found[name] ?? '';
      const identifier = /^\d{1,40}$/.test(text) ? Number(text) : Number.NaN;
      if (identifier >= minimum) return [name, identifier];
      throw new ServiceError('invalidIdentifier', {
        name,
        found: text && excerpt(text),
        minimum: String(minimum),
      });
    }),
  );
}

interface Identified {
  readonly resource: Resource;
  readonly identifiers: Identifiers;
}

/** The error for an unknown object, or for a list whose parent is unknown, with the identifiers of the path. */
export function notFound({ resource, identifiers }: Identified): ServiceError {
  const code = notFoundOf(resource);
  if (code === undefined) throw new Error(`${resource.path} names nothing that could be missing`);
  const values = Object.entries(identifiers).map(([name, identifier]) => [name, String(identifier)]);
  return new ServiceError(code, Object.fromEntries(values) as ErrorParameters<ErrorCode>);
}
