import { inEveryLanguage } from '@takt/texts';
import { fieldBuilders } from '../field-builders.js';
import { computedDetail } from '../resource.js';
import { headings as versionHeadings } from './application-version.js';

const headings = {
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

const { integer, text } = fieldBuilders(headings);

const UNKNOWN_HERE = 'null, as no token of this service belongs to one.';

/** The first request of programs for the followed service: its names, also those that never apply here. */
export const session = computedDetail({
  identifier: 9015,
  version: 1,
  path: '/system/sessions/current',
  element: 'Session',
  title: headings.Session,
  summary: headings.SessionSummary,
  description: 'What the token of the request stands for. Beyond the specification.',
  clientPermission: undefined,
  duty: undefined,
  source: { computed: 'session' },
  fields: [
    integer('Pid', 'Person identifier (PID) of who signed in; null where a program acts for itself.', {
      isNullable: true,
    }),
    integer('CustomerId', `Identifier of the customer; ${UNKNOWN_HERE}`, { isNullable: true }),
    integer('SupplierId', `Identifier of the supplier; ${UNKNOWN_HERE}`, { isNullable: true }),
    integer('ContactId', `Identifier of the contact; ${UNKNOWN_HERE}`, { isNullable: true }),
    text(
      'Database',
      'Short code of the default company of the token, which a request without $db runs against.',
    ),
    text('RamBaseName', `RamBase name of the person; ${UNKNOWN_HERE}`, { isNullable: true }),
    text(
      'ApiClientId',
      'Identifier of the API client, as OAuth 2 has it; null where the token was given to none.',
      {
        isNullable: true,
      },
    ),
  ],
});
