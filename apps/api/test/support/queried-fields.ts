import { type Field, type ListResource, queryFieldsOf } from '@takt/catalogue/resources';
import { Column, is, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { errorMessages, productionTimes } from './resources.js';

/** The fields for filters and orders of a list, with their columns. They come from its definition unless specified. */
function columnsOf(list: ListResource, specified: Readonly<Record<string, string>>) {
  const defined = [...queryFieldsOf(list).values()].map(({ queryName = '', source }) => {
    return [queryName, is(source, Column) ? source.name : expressionOf(source)] as const;
  });
  return { ...Object.fromEntries(defined), ...specified };
}

/** The SQL of a field in a statement that reads only the table. */
function expressionOf(source: SQLWrapper | undefined): string {
  const { sql: text } = new PgDialect().sqlToQuery(sql`${source}`);
  return text.replaceAll('"listed".', '');
}

/** The field of production times with this query name. */
export function fieldNamed(name: string): Field {
  const field = queryFieldsOf(productionTimes).get(name.toLowerCase());
  if (field === undefined) throw new Error(`${name} is a field`);
  return field;
}

/**
 * The seventeen fields of the specification are listed explicitly, so that none can read another one's column
 * unnoticed.
 */
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

/** Further fields for filters, beyond the specification. Fields of the product are read from its table. */
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
