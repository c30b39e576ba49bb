import { inEveryLanguage } from '@takt/texts';

/** Headings of what people look structure versions up by, by name. */
export const headings = inEveryLanguage('product-structure-versions', {
  ProductStructureVersions: 'Structure versions',
  ProductStructureVersionsSummary:
    'The versions of the structures of products, with their product and planned times.',
  ProductStructureVersionSummary:
    'One version of the structure of a product, with its product and planned times.',
  AggregatedProductionTimesLink: 'Link to the production times',
});
