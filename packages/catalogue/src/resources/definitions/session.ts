import { inEveryLanguage } from '@takt/texts';
import { fieldBuilders } from '../field-builders.js';
import { computedDetail } from '../resource.js';
import { headings as versionHeadings } from './application-version.js';

const headings = {
  Database: versionHeadings.Database,
  ...inEveryLanguage('session', {
    Session: 'Current session',
    SessionSummary: 'The identity, program and company of the token.',
    Pid: 'Person identifier',
    CustomerId: 'Customer identifier',
    SupplierId: 'Supplier identifier',
    ContactId: 'Contact identifier',
    RamBaseName: 'RamBase name',
    ApiClientId: 'API client identifier',
  }),
};

const { integer, text } = fieldBuilders(headings);

const UNKNOWN_HERE = 'null, as no token of this service belongs to one.';

/**
 * The current session. Programs that were written for the followed service request it first. It has all names that the
 * session has there, including fields that never apply here.
 */
export const session = computedDetail({
  identifier: 9015,
  version: 1,
  path: '/system/sessions/current',
  element: 'Session',
  title: headings.Session,
  summary: headings.SessionSummary,
  description: 'Identity and rights of the token of the request. Beyond the specification.',
  clientPermission: undefined,
  duty: undefined,
  source: { computed: 'session' },
  fields: [
    integer('Pid', 'Person identifier (PID) of the signed-in person; null if a program acts for itself.', {
      isNullable: true,
    }),
    integer('CustomerId', `Identifier of the customer; ${UNKNOWN_HERE}`, { isNullable: true }),
    integer('SupplierId', `Identifier of the supplier; ${UNKNOWN_HERE}`, { isNullable: true }),
    integer('ContactId', `Identifier of the contact; ${UNKNOWN_HERE}`, { isNullable: true }),
    text('Database', "Short code of the token's default company, used without $db."),
    text('RamBaseName', `RamBase name of the person; ${UNKNOWN_HERE}`, { isNullable: true }),
    text('ApiClientId', 'Identifier of the API client, as in OAuth 2; null without a client.', {
      isNullable: true,
    }),
  ],
});
