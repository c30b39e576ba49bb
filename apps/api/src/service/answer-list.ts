import type { Language } from '@takt/error-catalogue';
import type { QueryOptions } from '@takt/query-options';
import { type ListResource, PAGING_DETAILS } from '@takt/resources';
import { type ListShape, listSql, placeholders } from '../query/list-sql.js';
import { decodePageKey, type KeyedQuery, type PageStart } from '../query/page-key.js';
import { planColumns } from '../query/plan-columns.js';
import { resolveOrder } from '../query/resolve-fields.js';
import { resolveFilter } from '../query/resolve-filter.js';
import { resolveExpansion, resolveSelection } from '../query/resolve-selection.js';
import { shapeKeyOf } from '../query/shape-key.js';
import type { ListPage, Row } from '../representations/page.js';
import type { ApiDependencies } from './create-service.js';
import { describePage, type PageFacts, trimPage } from './paging.js';
import { runStatement } from './run-statement.js';

export interface ListQuestion {
  readonly resource: ListResource;
  readonly options: QueryOptions;
  readonly companyId: number;
  readonly language: Language;
  readonly withDescriptions: boolean;
  /** The address of another page of this list. */
  readonly addressOf: (key: string) => string;
}

/** What is asked, in terms of the resource: names looked up, page key read. */
function plan({ resource, options, companyId, withDescriptions }: ListQuestion) {
  const order = resolveOrder(resource, options.orderBy?.items ?? []);
  const filter =
    options.filter === undefined ? undefined : resolveFilter(resource, options.filter.expression);
  const expansion = resolveExpansion(options.expand);
  const selection = resolveSelection(resource, options.select);
  const { outline, columns } = planColumns(resource.fields, { selection, expansion, withDescriptions });
  const keyed: KeyedQuery = {
    resource: `${resource.identifier}/${resource.version}`,
    companyId: resource.source.company === undefined ? undefined : companyId,
    filter: options.filter?.text ?? '',
    orderBy: order.map(({ field, direction }) => `${field.name} ${direction}`).join(),
    search: options.search.join(' '),
  };
  const start: PageStart =
    options.pageKey === undefined
      ? { kind: 'first' }
      : decodePageKey(
          options.pageKey,
          keyed,
          order.map(({ field }) => field),
        );
  const shape: ListShape = {
    columns,
    order,
    condition: filter?.condition,
    searchedWords: options.search.length,
    start: start.kind,
    skips: options.skip > 0,
    countsAll: options.countAll,
  };
  return { shape, outline, keyed, start, expansion, filterValues: filter?.values ?? [] };
}

type Plan = ReturnType<typeof plan>;

function valuesOf({ start, filterValues }: Plan, { options, companyId, language }: ListQuestion) {
  const values: Record<string, unknown> = {
    [placeholders.company]: companyId,
    [placeholders.language]: language,
    [placeholders.pageSize]: options.top,
    [placeholders.skip]: options.skip,
  };
  filterValues.forEach((value, index) => {
    values[placeholders.filterValue(index)] = value;
  });
  options.search.forEach((word, index) => {
    values[placeholders.searchedWord(index)] = word;
  });
  if ('boundary' in start) {
    start.boundary.forEach((value, index) => {
      values[placeholders.boundary(index)] = value;
    });
  }
  return values;
}

/** A page of a list: parsed, planned, read. Throws a ServiceError. */
export async function answerList(question: ListQuestion, api: ApiDependencies): Promise<ListPage> {
  const { resource, options, addressOf } = question;
  const planned = plan(question);
  const { shape, outline, keyed, start, expansion } = planned;
  const statement = api.statementOf({
    key: shapeKeyOf(resource, shape),
    isPlannedOnce: shape.condition === undefined && !shape.skips,
    build: () => listSql(resource, shape),
  });
  const [result] = await runStatement<{ readonly rows: readonly Row[]; readonly size: string | null }>(
    api.pool,
    statement,
    valuesOf(planned, question),
  );
  const facts: PageFacts = {
    start,
    skip: options.skip,
    pageSize: options.top,
    rows: result?.rows ?? [],
    boundaryLength: shape.order.length,
    size: result?.size == null ? undefined : Number(result.size),
  };
  const trimmed = trimPage(facts);
  return {
    resource,
    outline,
    rows: trimmed.rows,
    paging: describePage(facts, trimmed, addressOf, keyed, {
      withKeys: expansion.has(PAGING_DETAILS),
      withSize: options.countAll,
    }),
  };
}
