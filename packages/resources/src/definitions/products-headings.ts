import { inEveryLanguage } from '@takt/texts';
import { headings as structureVersionHeadings } from './product-structure-version-headings.js';
import { sharedHeadings } from './shared-texts.js';

/** Headings of products, by name. */
export const headings = {
  ...sharedHeadings,
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
