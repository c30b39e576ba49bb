import { type Language, ServiceError } from '@takt/error-catalogue';
import { excerpt, type QueryOptions } from '@takt/query-options';
import type { DetailResource } from '@takt/resources';
import { detailSql, pathPlaceholder } from '../query/detail-sql.js';
import { placeholders } from '../query/list-sql.js';
import { planColumns } from '../query/plan-columns.js';
import { resolveExpansion, resolveSelection } from '../query/resolve-selection.js';
import { columnsKeyOf } from '../query/shape-key.js';
import type { DetailPage, Row } from '../representations/page.js';
import type { ApiDependencies } from './create-service.js';
import { runStatement } from './run-statement.js';

export interface DetailQuestion {
  readonly resource: DetailResource;
  readonly options: QueryOptions;
  readonly identifiers: Readonly<Record<string, number>>;
  readonly companyId: number;
  readonly language: Language;
  readonly withDescriptions: boolean;
}

/** The identifiers of a path. Throws invalidIdentifier for what is no integer or below its minimum. */
export function readIdentifiers(
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

/** One object. Throws a ServiceError, the resource's own where there is no such object. */
export async function answerDetail(question: DetailQuestion, api: ApiDependencies): Promise<DetailPage> {
  const { resource, options, identifiers, withDescriptions } = question;
  const selection = resolveSelection(resource, options.select);
  const expansion = resolveExpansion(options.expand);
  const { outline, columns } = planColumns(resource.fields, { selection, expansion, withDescriptions });
  // Identifiers end at 2^53-1; a higher one cannot be bound exactly, and nothing has it.
  if (!Object.values(identifiers).every(Number.isSafeInteger)) throw notFound(question);
  const statement = api.statementOf({
    key: `${resource.identifier}/${resource.version}/${columnsKeyOf(columns)}`,
    isPlannedOnce: true,
    build: () => detailSql(resource, columns),
  });
  const values: Record<string, unknown> = {
    [placeholders.company]: question.companyId,
    [placeholders.language]: question.language,
  };
  for (const [name, identifier] of Object.entries(identifiers)) values[pathPlaceholder(name)] = identifier;
  const [found] = await runStatement<{ readonly row: Row }>(api.pool, statement, values);
  if (found === undefined) throw notFound(question);
  return { resource, outline, row: found.row };
}

function notFound({ resource, identifiers }: DetailQuestion): ServiceError {
  switch (resource.notFound) {
    case 'permissionNotFound':
      return new ServiceError('permissionNotFound', {});
    case 'errorMessageNotFound':
      return new ServiceError('errorMessageNotFound', {
        errorMessageId: String(identifiers['errorMessageId']),
      });
  }
}
