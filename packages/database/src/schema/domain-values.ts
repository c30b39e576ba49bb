import { integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { taktSchema } from './takt-schema.js';

/** What the values of status, type and scope fields mean. */
export const domainValues = taktSchema.table(
  'domain_values',
  {
    object: text('object').notNull(),
    field: text('field').notNull(),
    key: text('key').notNull(),
    description: text('description').notNull(),
    /** Description by three-letter language, e.g. {"nob": "ny"}. */
    translations: jsonb('translations').$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** Order of the values in a list, from 1. */
    priority: integer('priority').notNull(),
  },
  (table) => [primaryKey({ columns: [table.object, table.field, table.key] })],
);
