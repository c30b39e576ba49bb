import { sql } from 'drizzle-orm';
import { integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, wholeNumber } from './column-kinds.js';
import { taktSchema } from './takt-schema.js';

export const products = taktSchema.table(
  'products',
  {
    companyId: integer('company_id').notNull(),
    productId: wholeNumber('product_id').notNull(),
    status: integer('status').notNull(),
    name: text('name').notNull(),
    type: text('type').notNull(),
    description: text('description').notNull(),
    /** Newest product-structure-version.changed.v1 that told of this product. */
    changedAt: instant('changed_at').notNull(),
    /** The name without regard to case: what filters compare with. */
    foldedName: text('folded_name').generatedAlwaysAs(sql`casefold(name)`),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.productId] })],
);
