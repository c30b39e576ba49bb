import { type ErrorCode, type ErrorParameters, ServiceError } from '@takt/error-catalogue';
import { excerpt, type QueryOptions } from '@takt/query-options';
import type { DetailResource, ListResource, Node, Resource } from '@takt/resources';
import { decodePageKey, type KeyedQuery, type PageStart } from './page-key.js';
import { type OrderTerm, resolveOrder } from './resolve-fields.js';
import { type ResolvedFilter, resolveFilter } from './resolve-filter.js';
import { resolveExpansion, resolveSelection } from './resolve-selection.js';

/** What is asked, with every name looked up in the definition of the resource. Throws a ServiceError. */
export function resolveQuestion(
  resource: Resource,
  options: QueryOptions,
  companyId: number,
  pathParameters: Readonly<Record<string, string>>,
): ListQuestion | DetailQuestion {
  return resource.kind === 'list'
    ? resolveList(resource, options, companyId)
    : resolveDetail(resource, options, companyId, pathParameters);
}

/** What is asked of a list, in terms of the resource: names looked up, page key read. */
export interface ListQuestion {
  readonly kind: 'list';
  readonly resource: ListResource;
  readonly options: QueryOptions;
  readonly companyId: number;
  /** Ends with the key. */
  readonly order: readonly OrderTerm[];
  readonly filter: ResolvedFilter | undefined;
  /** undefined: everything. */
  readonly selection: ReadonlySet<Node> | undefined;
  readonly expansion: ReadonlySet<string>;
  /** What keys of its pages are good for. */
  readonly keyed: KeyedQuery;
  readonly start: PageStart;
}

/** Throws a ServiceError for a name that there is not, a value of another type, or a key of another query. */
export function resolveList(resource: ListResource, options: QueryOptions, companyId: number): ListQuestion {
  const order = resolveOrder(resource, options.orderBy?.items ?? []);
  const filter =
    options.filter === undefined ? undefined : resolveFilter(resource, options.filter.expression);
  const expansion = resolveExpansion(options.expand);
  const selection = resolveSelection(resource, options.select);
  const keyed: KeyedQuery = {
    resource: `${resource.identifier}/${resource.version}`,
    companyId: resource.source.company === undefined ? undefined : companyId,
    filter: options.filter?.text ?? '',
    orderBy: order.map(({ field, direction }) => `${field.name} ${direction}`).join(),
    search: options.search.join(' '),
  };
  const fields = order.map(({ field }) => field);
  const start: PageStart =
    options.pageKey === undefined ? { kind: 'first' } : decodePageKey(options.pageKey, keyed, fields);
  return {
    kind: 'list',
    resource,
    options,
    companyId,
    order,
    filter,
    selection,
    expansion,
    keyed,
    start,
  };
}

/** Which object is asked for, and what of it. */
export interface DetailQuestion {
  readonly kind: 'detail';
  readonly resource: DetailResource;
  readonly companyId: number;
  /** Values of the path parameters. */
  readonly identifiers: Readonly<Record<string, number>>;
  /** undefined: everything. */
  readonly selection: ReadonlySet<Node> | undefined;
  readonly expansion: ReadonlySet<string>;
}

/** Throws a ServiceError for an identifier or a name that there cannot be. */
export function resolveDetail(
  resource: DetailResource,
  options: QueryOptions,
  companyId: number,
  pathParameters: Readonly<Record<string, string>>,
): DetailQuestion {
  const identifiers = readIdentifiers(resource, pathParameters);
  const selection = resolveSelection(resource, options.select);
  const expansion = resolveExpansion(options.expand);
  const question: DetailQuestion = {
    kind: 'detail',
    resource,
    companyId,
    identifiers,
    selection,
    expansion,
  };
  // Identifiers end at 2^53-1; a higher one cannot be bound exactly, and nothing has it.
  if (!Object.values(identifiers).every(Number.isSafeInteger)) throw notFound(question);
  return question;
}

/** The identifiers of a path. Throws invalidIdentifier for what is no integer or below its minimum. */
function readIdentifiers(
  { pathParameters }: DetailResource,
  found: Readonly<Record<string, string>>,
): Readonly<Record<string, number>> {
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

/** The resource's own error where there is no such object, with the identifiers of its path. */
export function notFound({
  resource,
  identifiers,
}: Pick<DetailQuestion, 'resource' | 'identifiers'>): ServiceError {
  const values = Object.entries(identifiers).map(([name, identifier]) => [name, String(identifier)]);
  return new ServiceError(resource.notFound, Object.fromEntries(values) as ErrorParameters<ErrorCode>);
}
