import { inEveryLanguage } from '@takt/texts';
import { sharedHeadings } from './shared-texts.js';

/** Headings of domain values, by name. */
export const headings = {
  Description: sharedHeadings.Description,
  ...inEveryLanguage('domain-values', {
    DomainValues: 'Domain values',
    DomainValuesSummary: 'The values that a field can hold, and what they mean.',
    Key: 'Value',
    Priority: 'Order',
  }),
};
