import { inEveryLanguage } from '@takt/texts';

/** Headings of what means the same in several resources. */
export const sharedHeadings = inEveryLanguage('shared', {
  Status: 'Status',
  Name: 'Name',
  Type: 'Type',
  Description: 'Description',
  Namespace: 'Namespace',
  CreatedBy: 'Created by',
});

/** What the values of a status mean, as far as several objects have them. */
export const lifecycle = inEveryLanguage('lifecycle', {
  new: 'new',
  active: 'active',
  obsolete: 'obsolete',
});
