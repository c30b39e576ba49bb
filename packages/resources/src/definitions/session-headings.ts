import { inEveryLanguage } from '@takt/texts';
import { headings as versionHeadings } from './application-version-headings.js';

/** Headings of the current session. */
export const headings = {
  Database: versionHeadings.Database,
  ...inEveryLanguage('session', {
    Session: 'Current session',
    SessionSummary: 'Who asks, by which program, and for which company.',
    Pid: 'Person identifier',
    CustomerId: 'Customer identifier',
    SupplierId: 'Supplier identifier',
    ContactId: 'Contact identifier',
    RamBaseName: 'RamBase name',
    ApiClientId: 'API client identifier',
  }),
};
