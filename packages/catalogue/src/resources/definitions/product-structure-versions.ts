import { inEveryLanguage } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import * as schema from '../../schema.js';
import { fieldBuilders } from '../field-builders.js';
import { detailResource, listResource, requestedCompany, requestedIdentifier } from '../resource.js';
import { aggregatedProductionTimes, planned } from './aggregated-production-times.js';
import {
  key,
  listed,
  searched,
  searchIndex,
  similarNames,
  structureVersion,
  headings as structureVersionHeadings,
} from './product-structure-version.js';

export const headings = inEveryLanguage('product-structure-versions', {
  ProductStructureVersions: 'Structure versions',
  ProductStructureVersionsSummary:
    'The versions of the structures of products, with their product and planned times.',
  ProductStructureVersionSummary:
    'One version of the structure of a product, with its product and planned times.',
  AggregatedProductionTimesLink: 'Link to the production times',
});

const { link } = fieldBuilders(headings);

const { clientPermission, duty, source } = aggregatedProductionTimes;

const fields = [
  ...structureVersion.children,
  planned,
  link(
    'AggregatedProductionTimesLink',
    'Reference to the actual times.',
    '/product/structure-versions/{}/aggregated-production-times',
    { from: listed.productStructureVersionId },
  ),
];

export const ofStructureVersion = {
  path: '/product/structure-versions/{productStructureVersionId}',
  parameter: {
    name: 'productStructureVersionId',
    description: 'Identifier of the product structure version.',
    minimum: 1,
    example: 100_001,
    column: listed.productStructureVersionId,
  },
} as const;

/**
 * SQL for the planned time of the structure version in the path, in microhours. PostgreSQL reads it only once for all
 * rows.
 */
export const plannedOf = (kind: 'run' | 'setup' | 'cleanup'): SQLWrapper =>
  sql`(SELECT plans.${sql.identifier(`${kind}_time`)} FROM ${schema.productStructureVersions} AS plans WHERE plans.company_id = ${requestedCompany} AND plans.product_structure_version_id = ${requestedIdentifier(ofStructureVersion.parameter.name)})`;

/**
 * The list of structure versions. It cannot be sorted by name: that would need another index, which every event that
 * changes figures would have to update.
 */
export const productStructureVersions = listResource({
  identifier: 9003,
  version: 1,
  path: '/product/structure-versions',
  element: 'ProductStructureVersion',
  container: 'ProductStructureVersions',
  title: headings.ProductStructureVersions,
  summary: headings.ProductStructureVersionsSummary,
  description: 'Product structure versions with their product and planned times. Beyond the specification.',
  clientPermission,
  duty,
  fields,
  source,
  key,
  searched,
  searchIndex,
  similarNames,
  itemPath: '/product/structure-versions/{}',
});

export const productStructureVersion = detailResource({
  identifier: 9004,
  version: 1,
  path: ofStructureVersion.path,
  element: 'ProductStructureVersion',
  title: structureVersionHeadings.ProductStructureVersion,
  summary: headings.ProductStructureVersionSummary,
  description: 'One product structure version with its product and planned times. Beyond the specification.',
  clientPermission,
  duty,
  fields,
  source,
  pathParameters: [ofStructureVersion.parameter],
  notFound: 'structureVersionNotFound',
});
