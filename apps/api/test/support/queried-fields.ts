import { type Field, type ListResource, queryFieldsOf } from '@takt/catalogue/resources';
import { Column, is, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { errorMessages, productionTimes } from './resources.js';

/** What a list is filtered and sorted by, with its columns: as its definition has it where nothing else is specified. */
function columnsOf(list: ListResource, specified: Readonly<Record<string, string>>) {
  const defined = [...queryFieldsOf(list).values()].map(({ queryName = '', source }) => {
    return [queryName, is(source, Column) ? source.name : expressionOf(source)] as const;
  });
  return { ...Object.fromEntries(defined), ...specified };
}

/** As a statement has it that reads the table alone. */
function expressionOf(source: SQLWrapper | undefined): string {
  const { sql: text } = new PgDialect().sqlToQuery(sql`${source}`);
  return text.replaceAll('"listed".', '');
}

/** The field of production times that is queried by this name. */
export function fieldNamed(name: string): Field {
  const field = queryFieldsOf(productionTimes).get(name.toLowerCase());
  if (field === undefined) throw new Error(`${name} is a field`);
  return field;
}

/** The seventeen fields of the specification are spelled, so that none reads another one's column unnoticed. */
export const productionTimeFields = columnsOf(productionTimes, {
  AverageCleanupTime: 'average_cleanup_time',
  AverageRunTime: 'average_run_time',
  AverageSetupTime: 'average_setup_time',
  CleanupTime: 'cleanup_time',
  DeviationCleanupTime: 'deviation_cleanup_time',
  DeviationRunTime: 'deviation_run_time',
  DeviationSetupTime: 'deviation_setup_time',
  LongestCleanupTime: 'longest_cleanup_time',
  LongestRunTime: 'longest_run_time',
  LongestSetupTime: 'longest_setup_time',
  NumberOfCompletedProductionWorkOrders: 'number_of_completed_operations',
  ProductName: 'product_name',
  RunTime: 'run_time',
  SetupTime: 'setup_time',
  ShortestCleanupTime: 'shortest_cleanup_time',
  ShortestRunTime: 'shortest_run_time',
  ShortestSetupTime: 'shortest_setup_time',
});

/** The six of error messages, with their columns. */
export const errorMessageFields = columnsOf(errorMessages, {
  CreatedBy: 'created_by',
  ErrorMessageId: 'error_message_id',
  HttpStatusCode: 'http_status_code',
  Message: 'message',
  Namespace: 'namespace',
  Status: 'status',
});

/** What the list is filtered by besides, beyond the specification; of the product as it is read from there. */
export const filteredFields = {
  ...productionTimeFields,
  ProductStructureVersionId: 'product_structure_version_id',
  ProductStructureVersionStatus: 'status',
  ProductStructureVersionName: 'name',
  Version: 'version',
  Revision: 'revision',
  ProductId: 'product_id',
  ProductStatus: ofProduct('status'),
  ProductType: ofProduct('type'),
};

function ofProduct(column: string): string {
  return `(SELECT products.${column} FROM takt.products WHERE products.company_id = product_structure_versions.company_id AND products.product_id = product_structure_versions.product_id)`;
}
