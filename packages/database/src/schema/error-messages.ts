import { integer, jsonb, text } from 'drizzle-orm/pg-core';
import { wholeNumber } from './column-kinds.js';
import { taktSchema } from './takt-schema.js';

export const errorMessages = taktSchema.table('error_messages', {
  errorMessageId: integer('error_message_id').primaryKey(),
  status: text('status').notNull(),
  namespace: text('namespace').notNull(),
  httpStatusCode: integer('http_status_code').notNull(),
  /** English, with {0}, {1}, ... for the parameters. */
  message: text('message').notNull(),
  availableTranslations: text('available_translations').notNull(),
  createdBy: wholeNumber('created_by').notNull(),
  technicalDescription: text('technical_description').notNull(),
  /** Message by three-letter language. */
  translations: jsonb('translations').$type<Readonly<Record<string, string>>>().notNull(),
});
