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

/** The files of functions applied; made by migrate() itself too. */
export const schemaFunctions = taktSchema.table('schema_functions', {
  /** The file's name without its ending. */
  name: text('name').primaryKey(),
  /** SHA-256 of the file's text, hexadecimal. */
  checksum: text('checksum').notNull(),
  /** The functions that the file made, with the types of their arguments. */
  signatures: text('signatures').array().notNull(),
  appliedAt: instant('applied_at').notNull().defaultNow(),
});
