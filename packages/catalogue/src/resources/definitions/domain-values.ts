import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import type { Domain } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { type ListResource, listResource, requestedLanguage, storedIn } from '../resource.js';
import { sharedHeadings } from './shared-texts.js';

const headings = {
  Description: sharedHeadings.Description,
  ...inEveryLanguage('domain-values', {
    DomainValues: 'Domain values',
    DomainValuesSummary: 'The values that a field can hold, and what they mean.',
    Key: 'Value',
    Priority: 'Order',
  }),
};

const { integer, text } = fieldBuilders(headings);

const listed = alias(schema.domainValues, 'listed');

const key = text('Key', 'The value as fields hold it.', { from: listed.key, queryName: true });
const priority = integer('Priority', 'Place of the value among the others, from 1.', {
  from: listed.priority,
  queryName: true,
});

/**
 * The list of the values of all domains, for programs that let people choose a value. The values come with the product,
 * so everybody may read them.
 */
export const applicableDomainValues = (domains: readonly Domain[]): ListResource =>
  listResource({
    identifier: 9016,
    version: 1,
    path: '/system/domain-values/applicable-values',
    element: 'DomainValue',
    container: 'DomainValues',
    title: headings.DomainValues,
    summary: headings.DomainValuesSummary,
    description: 'The values that a field can hold, by priority and then by key. Beyond the specification.',
    clientPermission: undefined,
    duty: undefined,
    fields: [
      key,
      text('Description', 'Meaning of the value, in the language of $lang.', {
        from: sql`(coalesce(${listed.translations} ->> ${requestedLanguage}, ${listed.description}) COLLATE "und-x-icu")`,
        queryName: true,
      }),
      priority,
    ],
    source: storedIn({
      table: schema.domainValues,
      company: undefined,
      isTranslated: true,
    }),
    parameters: [
      {
        name: 'object',
        isRequired: true,
        example: 'Product',
        column: listed.object,
        description: 'The object with the field, in any case.',
        known: () => [...new Set(domains.map(({ object }) => object))],
      },
      {
        name: 'field',
        isRequired: true,
        example: 'Status',
        column: listed.field,
        description: `The field, in any case: ${domains.map(({ object, field }) => `${object}.${field}`).join(', ')}.`,
        known: (before) => {
          const chosen = before.get('object');
          const of = domains.filter(({ object }) => chosen === undefined || object === chosen);
          return [...new Set(of.map(({ field }) => field))];
        },
      },
    ],
    key,
    firstOrder: priority,
  });
