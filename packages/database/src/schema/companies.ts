import { integer, text } from 'drizzle-orm/pg-core';
import { instant } from './column-kinds.js';
import { taktSchema } from './takt-schema.js';

export const companies = taktSchema.table('companies', {
  companyId: integer('company_id').primaryKey().generatedAlwaysAsIdentity(),
  /** What events and $db call the company, e.g. TEM-NO. */
  code: text('code').notNull(),
  name: text('name').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});
