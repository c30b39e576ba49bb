import { inEveryLanguage } from '@takt/texts';
import type { Domain } from '../field.js';
import { lifecycle } from './shared-texts.js';

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
