import { integer, text } from 'drizzle-orm/pg-core';
import { instant } from './column-kinds.js';
import { taktSchema } from './takt-schema.js';

/** The migrations applied; made by migrate() itself, before the first of them. */
export const schemaMigrations = taktSchema.table('schema_migrations', {
  /** From 1, without gaps. */
  number: integer('number').primaryKey(),
  name: text('name').notNull(),
  /** SHA-256 of the migration's text, hexadecimal. */
  checksum: text('checksum').notNull(),
  appliedAt: instant('applied_at').notNull().defaultNow(),
});
