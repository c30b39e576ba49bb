import { inEveryLanguage } from '@takt/texts';

import { sharedHeadings } from './shared-texts.js';

/** Headings of a product structure version and its product, by name. */
export const headings = {
  ...sharedHeadings,
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
