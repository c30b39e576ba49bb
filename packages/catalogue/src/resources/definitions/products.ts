import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import { fieldBuilders } from '../field-builders.js';
import { detailResource, listResource, requestedCompany, storedIn } from '../resource.js';
import { aggregatedProductionTimes } from './aggregated-production-times.js';
import { itemsSql } from './items-sql.js';
import { keyHeadings, keyIndex, keyOptions, keySorting } from './keys.js';
import {
  productStatus,
  productType,
  similarNamesOfProducts,
  headings as structureVersionHeadings,
  structureVersionStatus,
} from './product-structure-version.js';
import { sharedHeadings } from './shared-texts.js';

const headings = {
  ...sharedHeadings,
  ...keyHeadings,
  ProductId: structureVersionHeadings.ProductId,
  Product: structureVersionHeadings.Product,
  ProductStructureVersion: structureVersionHeadings.ProductStructureVersion,
  ProductStructureVersionId: structureVersionHeadings.ProductStructureVersionId,
  ProductStructureVersionLink: structureVersionHeadings.ProductStructureVersionLink,
  Version: structureVersionHeadings.Version,
  Revision: structureVersionHeadings.Revision,
  ...inEveryLanguage('products', {
    Products: 'Products',
    ProductsSummary: 'The products that are made, with their status and type.',
    ProductSummary: 'One product with the versions of its structure.',
    NumberOfStructureVersions: 'Structure versions',
    StructureVersions: 'Newest structure versions',
  }),
};

const { collection, group, integer, link, text } = fieldBuilders(headings);

const listed = alias(schema.products, 'listed');
const made = alias(schema.productStructureVersions, 'made');

const productKey = text('ProductKey', 'Key of the product; missing if the company names them by numbers.', {
  ...keyOptions(listed.productKey),
  queryName: true,
  textIndex: keyIndex('product', listed.productId),
  sorting: keySorting('product', listed.productKey),
});
const key = integer('ProductId', 'Product identifier.', {
  from: listed.productId,
  queryName: true,
  keyField: productKey,
});
const name = text('Name', 'Name of the product.', { from: listed.name, queryName: true });

const fields = [
  key,
  productKey,
  integer('Status', 'Status of the product.', {
    from: listed.status,
    filterName: 'Status',
    domain: productStatus,
  }),
  name,
  text('Type', 'Type of product.', { from: listed.type, filterName: 'Type', domain: productType }),
  text('Description', 'Description of the product.', { from: listed.description, filterName: 'Description' }),
];

const rights = { clientPermission: 'production-times', duty: 'read-production-times' } as const;

const source = storedIn({
  table: schema.products,
  company: listed.companyId,
});

export const products = listResource({
  identifier: 9001,
  version: 1,
  path: '/product/products',
  element: 'Product',
  container: 'Products',
  title: headings.Products,
  summary: headings.ProductsSummary,
  description: 'The products whose structure versions are known. Beyond the specification.',
  ...rights,
  fields,
  source,
  key,
  searched: [name, key],
  similarNames: similarNamesOfProducts,
  itemPath: '/product/products/{}',
});

/**
 * The maximum number of structure versions in an object. All structure versions of the product are in their own list,
 * which can be filtered by product.
 */
const MAX_STRUCTURE_VERSIONS = 100;

const ofThisProduct = sql`${made.companyId} = ${requestedCompany} AND ${made.productId} = ${listed.productId} AND ${made.changedAt} IS NOT NULL`;

const versionKey = text(
  'ProductStructureVersionKey',
  'Key of the product structure version; missing if the company names them by numbers.',
  keyOptions(made.productStructureVersionKey),
);
const structureVersion = group('ProductStructureVersion', 'A version of the structure of the product.', [
  integer('ProductStructureVersionId', 'Product structure identifier.', {
    from: made.productStructureVersionId,
    keyField: versionKey,
  }),
  versionKey,
  integer('Status', 'Status of the product structure.', {
    from: made.status,
    domain: structureVersionStatus,
  }),
  text('Name', 'Name of the product structure version.', { from: made.name }),
  integer('Version', 'Version number.', { from: made.version }),
  text('Revision', 'Revision.', { from: made.revision }),
  link(
    'ProductStructureVersionLink',
    'Reference to the product structure version.',
    '/product/structure-versions/{}',
    { from: made.productStructureVersionId },
  ),
]);

export const product = detailResource({
  identifier: 9002,
  version: 1,
  path: '/product/products/{productId}',
  element: 'Product',
  title: headings.Product,
  summary: headings.ProductSummary,
  description: 'One product with the versions of its structure. Beyond the specification.',
  ...rights,
  fields: [
    ...fields,
    integer('NumberOfStructureVersions', 'Number of structure versions of the product.', {
      from: sql`(SELECT count(*) FROM ${schema.productStructureVersions} AS made WHERE ${ofThisProduct})`,
    }),
    collection(
      'StructureVersions',
      `The structure versions of the product, highest identifier first; at most ${MAX_STRUCTURE_VERSIONS}.`,
      () => structureVersion,
      {
        from: itemsSql({
          table: schema.productStructureVersions,
          alias: sql`made`,
          where: ofThisProduct,
          orderBy: sql`${made.productStructureVersionId} DESC`,
          limit: MAX_STRUCTURE_VERSIONS,
        }),
      },
    ),
  ],
  source,
  opens: { path: aggregatedProductionTimes.path, field: 'ProductId' },
  pathParameters: [
    {
      name: 'productId',
      description: 'Identifier of the product.',
      minimum: 1,
      example: 10_001,
      column: listed.productId,
    },
  ],
  notFound: 'productNotFound',
});
