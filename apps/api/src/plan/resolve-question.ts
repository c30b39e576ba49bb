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

/** The identifiers in the path, by their names. They are texts, as the client wrote them. */
type PathParameters = Readonly<Record<string, string>>;
type Identifiers = Readonly<Record<string, number>>;

/** Everything about a request, apart from its options, that determines the rows. */
interface QuestionContext {
  readonly companyId: number;
  /** The person of the access token; null if the token belongs to no person. */
  readonly pid: number | null;
  readonly pathParameters: PathParameters;
  /** The language in which texts are served and sorted. */
  readonly language: Language;
}

/** Resolves the names in a request by the definition of the requested resource. Throws a ServiceError. */
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
  /** The sorting terms. The key of the list is always among them; terms after the key have no effect. */
  readonly order: readonly OrderTerm[];
  readonly filter: ResolvedFilter | undefined;
  /** The parts selected by `$select`; undefined if everything is selected. */
  readonly selection: ReadonlySet<Node> | undefined;
  readonly expansion: ReadonlySet<string>;
  /** The query for which the page keys of this answer are made. */
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
  return expectPossible(
    {
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
    },
    pathParameters,
  );
}

/** A resolved request for an object. */
export interface DetailQuestion {
  readonly kind: 'detail';
  readonly resource: DetailResource;
  readonly options: QueryOptions;
  readonly companyId: number;
  readonly pid: number | null;
  readonly identifiers: Identifiers;
  /** The parts selected by `$select`; undefined if everything is selected. */
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
  return expectPossible(
    { kind: 'detail', resource, options, companyId, pid, identifiers, selection, expansion },
    pathParameters,
  );
}

/**
 * Throws the resource's not-found error if an identifier is above 2^53-1. Such an identifier cannot be bound exactly,
 * and no object has one.
 */
function expectPossible<Question extends Identified>(question: Question, written: PathParameters): Question {
  if (Object.values(question.identifiers).every(Number.isSafeInteger)) return question;
  throw notFound({ resource: question.resource, identifiers: written });
}

/**
 * Reads the identifiers in the path. Throws invalidIdentifier unless each of them is an integer and not less than its
 * minimum.
 */
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
  /** The identifiers by their names; as texts where a number would lose digits. */
  readonly identifiers: Readonly<Record<string, number | string>>;
}

/**
 * Makes the error for an object that does not exist, or for a list whose parent does not exist. The error names the
 * identifiers in the path.
 */
export function notFound({ resource, identifiers }: Identified): ServiceError {
  const code = notFoundOf(resource);
  if (code === undefined) throw new Error(`${resource.path} names nothing that could be missing`);
  const values = Object.entries(identifiers).map(([name, identifier]) => [name, String(identifier)]);
  return new ServiceError(code, Object.fromEntries(values) as ErrorParameters<ErrorCode>);
}
