import { inEveryLanguage } from '@takt/texts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import type { Domain, Lookup, SearchIndex, TextIndex } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { requestedCompany } from '../resource.js';
import { keyHeadings, keyIndex, keyOptions, keySorting } from './keys.js';
import { lifecycle, sharedHeadings } from './shared-texts.js';

export const headings = {
  ...sharedHeadings,
  ...keyHeadings,
  ...inEveryLanguage('product-structure-version', {
    ProductStructureVersion: 'Product structure version',
    ProductStructureVersionId: 'Structure version ID',
    ProductStructureVersionLink: 'Link to the structure version',
    ProductStructure: 'Product structure',
    Product: 'Product',
    ProductId: 'Product ID',
    ProductLink: 'Link to the product',
    Version: 'Version',
    Revision: 'Revision',
  }),
};

export const productStatus: Domain = {
  object: 'Product',
  field: 'Status',
  values: {
    '2': lifecycle.new,
    '9': lifecycle.obsolete,
    ...inEveryLanguage('Product.Status', {
      '3': 'for approval',
      '4': 'ordinary',
      '5': 'to be revised',
      '6': 'on hold',
      '7': 'end of life announced',
    }),
  },
};

export const productType: Domain = {
  object: 'Product',
  field: 'Type',
  values: inEveryLanguage('Product.Type', {
    K: 'product with structure',
    KA: 'product with structure, assembled',
    KS: 'product with structure, standard',
    KM: 'product with structure, module',
    P: 'ordinary part',
  }),
};

export const structureVersionStatus: Domain = {
  object: 'ProductStructureVersion',
  field: 'Status',
  values: {
    '4': lifecycle.active,
    '9': lifecycle.obsolete,
    ...inEveryLanguage('ProductStructureVersion.Status', {
      '1': 'draft',
    }),
  },
};

const { group, integer, link, text } = fieldBuilders(headings);

/**
 * The table of structure versions, with the alias `listed`. joinedProduct joins the product of each structure version.
 */
export const listed = alias(schema.productStructureVersions, 'listed');
export const product = alias(schema.products, 'product');
const named = alias(schema.products, 'named');

export const joinedProduct = sql`LEFT JOIN ${schema.products} AS product ON ${product.companyId} = ${requestedCompany} AND ${product.productId} = ${listed.productId}`;

const versionKey = text(
  'ProductStructureVersionKey',
  'Key of the product structure version; missing if the company names them by numbers.',
  {
    ...keyOptions(listed.productStructureVersionKey),
    queryName: true,
    textIndex: keyIndex('version', listed.productStructureVersionId),
    sorting: keySorting('version', listed.productStructureVersionKey),
  },
);

const productKey = text('ProductKey', 'Key of the product; missing if the company names them by numbers.', {
  ...keyOptions(listed.productKey),
  filterName: 'ProductKey',
  textIndex: keyIndex('product', listed.productId),
});

export const key = integer('ProductStructureVersionId', 'Product structure identifier.', {
  from: listed.productStructureVersionId,
  filterName: 'ProductStructureVersionId',
  keyField: versionKey,
});

/** SQL for a condition: the product of the structure version meets a condition on `named`. */
const ofProducts = (condition: SQLWrapper): SQLWrapper =>
  sql`(${listed.companyId}, ${listed.productId}) IN (SELECT ${named.companyId}, ${named.productId} FROM ${schema.products} AS named WHERE ${condition})`;

/**
 * An index that finds structure versions by the name of their product. It finds only those of the session's company.
 */
const productNames: TextIndex = {
  matching: (pattern, otherwise) =>
    sql`CASE WHEN takt.are_few_products(${pattern}) THEN ${listed.productId} = ANY ((SELECT takt.find_products(${pattern}))::bigint[]) ELSE ${otherwise} END`,
  // Uses a join. If many products match, an array of them would have to be searched for each structure version.
  among: (pattern) => sql`${listed.productId} IN (SELECT unnest(takt.find_products(${pattern})))`,
};

/** The identifier of the product. `search` looks for words in it, as it does in the key of the structure version. */
export const productId = integer('ProductId', 'Product identifier.', {
  from: listed.productId,
  filterName: 'ProductId',
  keyField: productKey,
});
export const productName = text('Name', 'Name of the product.', {
  from: listed.productName,
  queryName: 'ProductName',
  textIndex: productNames,
});
export const structureVersionName = text('Name', 'Name of the product structure version.', {
  from: listed.name,
  filterName: 'ProductStructureVersionName',
});

export const searched = [productName, structureVersionName, productId, key];

const amongFound: SearchIndex['among'] = (patterns) =>
  sql`${listed.productStructureVersionId} = ANY ((SELECT takt.find_structure_versions(${patterns}))::bigint[])`;

/**
 * An index that finds structure versions by words in any of the searched fields. It finds only those of the session's
 * company.
 */
export const searchIndex: SearchIndex = {
  matching: (patterns, otherwise) =>
    sql`CASE WHEN takt.are_few_structure_versions(${patterns}) THEN ${amongFound(patterns)} ELSE ${otherwise} END`,
  among: amongFound,
  sizeOf: (patterns) => sql`takt.count_structure_versions(${patterns})`,
};

/** SQL for the names that are most similar to a search. They are used if the search found no rows. */
export const similarNames = (search: SQLWrapper): SQLWrapper => sql`takt.similar_names(${search}, false)`;
export const similarNamesOfProducts = (search: SQLWrapper): SQLWrapper =>
  sql`takt.similar_names(${search}, true)`;

const lookupOf = (column: SQLWrapper): Lookup => ({
  column,
  within: ofProducts,
  value: sql`(SELECT ${column} FROM ${schema.products} AS named WHERE ${named.companyId} = ${requestedCompany} AND ${named.productId} = ${listed.productId})`,
});

const productGroup = group('Product', 'The product that the structure makes.', [
  productId,
  productKey,
  integer('Status', 'Status of the product.', {
    from: product.status,
    filterName: 'ProductStatus',
    lookup: lookupOf(named.status),
    domain: productStatus,
  }),
  productName,
  text('Type', 'Type of product.', {
    from: product.type,
    filterName: 'ProductType',
    lookup: lookupOf(named.type),
    domain: productType,
  }),
  text('Description', 'Description of the product.', { from: product.description }),
  link('ProductLink', 'Reference to the product.', '/product/products/{}', { from: listed.productId }),
]);

export const structureVersion = group('ProductStructureVersion', 'The product structure version.', [
  key,
  versionKey,
  integer('Status', 'Status of the product structure.', {
    from: listed.status,
    filterName: 'ProductStructureVersionStatus',
    domain: structureVersionStatus,
  }),
  structureVersionName,
  integer('Version', 'Version number.', { from: listed.version, filterName: 'Version' }),
  text('Revision', 'Revision; typically a major change, whereas minor changes are stored in Version.', {
    from: listed.revision,
    filterName: 'Revision',
  }),
  group('ProductStructure', 'The product structure.', [productGroup]),
  link(
    'ProductStructureVersionLink',
    'Reference to the product structure version.',
    '/product/structure-versions/{}',
    { from: listed.productStructureVersionId },
  ),
]);
