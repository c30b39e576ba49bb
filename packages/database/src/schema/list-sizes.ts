import { integer } from 'drizzle-orm/pg-core';
import { wholeNumber } from './column-kinds.js';
import { taktSchema } from './takt-schema.js';

/** Rows listed per company, kept by triggers; a company without a row has none. */
export const listSizes = taktSchema.table('list_sizes', {
  companyId: integer('company_id').primaryKey(),
  productStructureVersions: wholeNumber('product_structure_versions').notNull(),
});
