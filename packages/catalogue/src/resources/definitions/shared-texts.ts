import { inEveryLanguage } from '@takt/texts';

export const sharedHeadings = inEveryLanguage('shared', {
  Status: 'Status',
  Name: 'Name',
  Type: 'Type',
  Description: 'Description',
  Namespace: 'Namespace',
  CreatedBy: 'Created by',
});

export const lifecycle = inEveryLanguage('lifecycle', {
  new: 'new',
  active: 'active',
  obsolete: 'obsolete',
});
