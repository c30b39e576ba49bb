import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import type { Domain, Field } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { detailResource, listResource, storedIn } from '../resource.js';
import { lifecycle, sharedHeadings } from './shared-texts.js';

const headings = {
  ...sharedHeadings,
  ...inEveryLanguage('error-messages', {
    ErrorMessages: 'Error messages',
    ErrorMessage: 'Error message',
    ErrorMessageId: 'ID',
    HttpStatusCode: 'HTTP status',
    Message: 'Message',
    AvailableTranslations: 'Translations',
    TechnicalDescription: 'Technical description',
    Translations: 'Translations',
    Translation: 'Translation',
    Language: 'Language',
    ErrorMessagesSummary: 'Every error that the service can answer with, and what to do about it.',
    ErrorMessageSummary: 'One error message with all its translations.',
  }),
};

const { collection, group, integer, text } = fieldBuilders(headings);

const listed = alias(schema.errorMessages, 'listed');

const status: Domain = {
  object: 'ErrorMessage',
  field: 'Status',
  values: { 1: lifecycle.new, 4: lifecycle.active, 9: lifecycle.obsolete },
};

const key = integer('ErrorMessageId', 'Error message identifier.', {
  from: listed.errorMessageId,
  queryName: true,
});

const namespace = text('Namespace', 'Namespace of the error message; used for categorization only.', {
  from: listed.namespace,
  queryName: true,
});

const message = text('Message', 'The English error message.', { from: listed.message, queryName: true });

const fields: readonly Field[] = [
  key,
  text('Status', 'Object status of the error message.', {
    from: listed.status,
    queryName: true,
    domain: status,
  }),
  namespace,
  integer('HttpStatusCode', 'HTTP status code used when the error message is sent.', {
    from: listed.httpStatusCode,
    queryName: true,
  }),
  message,
  text('AvailableTranslations', 'Comma-separated list of available translations.', {
    from: listed.availableTranslations,
  }),
  integer('CreatedBy', 'Person identifier (PID) of the employee who created the message.', {
    from: listed.createdBy,
    queryName: true,
    duty: 'read-persons',
  }),
];

const rights = { clientPermission: 'error-messages', duty: 'read-error-messages' } as const;

/** The source has no company, because all companies share the same error messages. */
const source = storedIn({
  table: schema.errorMessages,
  company: undefined,
});

export const errorMessages = listResource({
  identifier: 132,
  version: 11,
  path: '/system/error-messages',
  element: 'ErrorMessage',
  container: 'ErrorMessages',
  title: headings.ErrorMessages,
  summary: headings.ErrorMessagesSummary,
  description: 'Every error message that the service can return.',
  ...rights,
  fields,
  source,
  key,
  searched: [message, namespace, key],
  itemPath: '/system/error-messages/{}',
});

export const errorMessage = detailResource({
  identifier: 133,
  version: 1,
  path: '/system/error-messages/{errorMessageId}',
  element: 'ErrorMessage',
  title: headings.ErrorMessage,
  summary: headings.ErrorMessageSummary,
  description: 'One error message with all its translations: where the link of an error leads to.',
  ...rights,
  fields: [
    ...fields,
    text('TechnicalDescription', 'When the error is raised and what to do, for integrators.', {
      from: listed.technicalDescription,
    }),
    collection(
      'Translations',
      'The message in every language.',
      () =>
        group('Translation', 'The message in one language.', [
          text('Language', 'Three-letter code of the language.'),
          text('Message', 'The message, with {0}, {1}, ... for its parameters.'),
        ]),
      {
        from: () =>
          sql`(SELECT json_agg(json_build_array(language, message) ORDER BY language) FROM jsonb_each_text(${listed.translations}) AS translation (language, message))`,
      },
    ),
  ],
  source,
  pathParameters: [
    {
      name: 'errorMessageId',
      description: 'Identifier of the error message.',
      minimum: 100_000,
      column: listed.errorMessageId,
    },
  ],
  notFound: 'errorMessageNotFound',
});
