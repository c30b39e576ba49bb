import { type Field, type ListResource, queryFieldsOf } from '@takt/catalogue/resources';
import { Column, is, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { errorMessages, productionTimes } from './resources.js';

/**
 * Returns the fields that filters and orders of a list can use, with their SQL columns. Specified columns are used as
 * they are. The other columns come from the definition of the list.
 */
function columnsOf(list: ListResource, specified: Readonly<Record<string, string>>) {
  const defined = [...queryFieldsOf(list).values()].map(({ queryName = '', source }) => {
    return [queryName, is(source, Column) ? source.name : expressionOf(source)] as const;
  });
  return { ...Object.fromEntries(defined), ...specified };
}

/** Returns the SQL of a field for a statement that reads only the table of the list. */
function expressionOf(source: SQLWrapper | undefined): string {
  const { sql: text } = new PgDialect().sqlToQuery(sql`${source}`);
  return text.replaceAll('"listed".', '');
}

/** Returns the field of production times that has this name in queries. */
export function fieldNamed(name: string): Field {
  const field = queryFieldsOf(productionTimes).get(name.toLowerCase());
  if (field === undefined) throw new Error(`${name} is a field`);
  return field;
}

/**
 * The fields of production times. The seventeen fields of the specification are listed with their columns, so that the
 * tests notice a field that reads the column of another field.
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

/** The fields of error messages. Six of them are listed with their columns. */
export const errorMessageFields = columnsOf(errorMessages, {
  CreatedBy: 'created_by',
  ErrorMessageId: 'error_message_id',
  HttpStatusCode: 'http_status_code',
  Message: 'message',
  Namespace: 'namespace',
  Status: 'status',
});

/**
 * The fields of production times, and further fields that only filters can use. The further fields are beyond the
 * specification. Fields of the product are read from the table of products.
 */
export const filteredFields = {
  ...productionTimeFields,
  ProductStructureVersionId: 'product_structure_version_id',
  ProductStructureVersionStatus: 'status',
  ProductStructureVersionName: 'name',
  Version: 'version',
  Revision: 'revision',
  ProductId: 'product_id',
  ProductKey: 'product_key',
  ProductStatus: ofProduct('status'),
  ProductType: ofProduct('type'),
};

function ofProduct(column: string): string {
  return `(SELECT products.${column} FROM takt.products WHERE products.company_id = product_structure_versions.company_id AND products.product_id = product_structure_versions.product_id)`;
}
