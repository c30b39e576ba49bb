import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import { fieldBuilders } from '../field-builders.js';
import { listResource, requestingPerson, storedIn } from '../resource.js';
import { sharedHeadings } from './shared-texts.js';

const headings = {
  ...sharedHeadings,
  ...inEveryLanguage('saved-views', {
    SavedViews: 'Saved views',
    SavedViewsSummary:
      'Lists as you have filtered and ordered them, and those that others share with the company.',
    SavedViewId: 'Saved view ID',
    IsOwn: 'Own',
    IsShared: 'Shared',
    SavedAt: 'Saved on',
    Path: 'Path',
    Query: 'Query',
  }),
};

const { boolean, instant, integer, text } = fieldBuilders(headings);

const listed = alias(schema.savedViews, 'listed');

const key = integer('SavedViewId', 'Identifier of the saved view.', {
  from: listed.savedViewId,
  queryName: true,
});
const name = text('Name', 'Name that the person gave to the view.', { from: listed.name, queryName: true });

export const savedViews = listResource({
  identifier: 9020,
  version: 1,
  path: '/system/saved-views',
  element: 'SavedView',
  container: 'SavedViews',
  title: headings.SavedViews,
  summary: headings.SavedViewsSummary,
  description:
    'Addresses of this service that a person has saved under a name, and those that others share with the company. They are saved, shared and deleted on the pages. Beyond the specification.',
  clientPermission: 'production-times',
  duty: 'read-production-times',
  fields: [
    key,
    name,
    boolean('IsOwn', 'True if the reader saved it.', {
      from: sql`(${listed.pid} IS NOT DISTINCT FROM ${requestingPerson})`,
    }),
    boolean('IsShared', 'True if everybody in the company sees it.', {
      from: listed.isShared,
      filterName: 'IsShared',
    }),
    instant('SavedAt', 'Time of saving.', { from: listed.savedAt, queryName: true }),
    text('Path', 'Path of the address, below the base URL.', { from: listed.path, filterName: 'Path' }),
    text('Query', 'Query of the address, without $db.', { from: listed.query }),
  ],
  source: storedIn({
    table: schema.savedViews,
    company: listed.companyId,
    condition: sql`(${listed.isShared} OR ${listed.pid} = ${requestingPerson})`,
    isOfPerson: true,
  }),
  key,
  searched: [name],
});
