import { inEveryLanguage } from '@takt/texts';
import type { Group } from '../field.js';
import { documentNodes } from '../nodes-with.js';

const { address, collection, group, integer, text } = documentNodes;

/** What is answered at the root: what there is, and where. The values are made by the service. */
export const service: Group = group('Service', 'What this service serves, and where.', [
  text('Name', 'Name of the service.'),
  collection('Resources', 'The resources, which are read with GET.', () =>
    group('Resource', 'A resource.', [
      integer('ResourceId', 'Identifier of the resource, as in the header Resource-Id.'),
      integer('Version', 'Its newest version, as in the header Resource-Version.'),
      text('Title', 'What people call it, in the language of $lang.'),
      text('Summary', 'What it tells, in the language of $lang.'),
      text('Path', 'Where it is, below the address of the service; {name} stands for an identifier.'),
      address('ResourceLink', 'Address of the resource; missing where it needs identifiers or parameters.', {
        isNullable: true,
      }),
    ]),
  ),
  collection('Documents', 'What tells about the service; no token is needed.', () =>
    group('Document', 'A document or page.', [
      text('Title', 'What people call it, in the language of $lang.'),
      text('Summary', 'What it tells, in the language of $lang.'),
      address('DocumentLink', 'Its address.'),
    ]),
  ),
]);

/** What the service and its documents are called. */
export const serviceTexts = inEveryLanguage('service', {
  lead: 'Planned against actual production times.',
  documentation: 'Documentation',
  documentationSummary: 'Every request with its parameters, to read and to try out.',
  openApi: 'OpenAPI',
  openApiSummary: 'The same for programs: clients can be generated from it.',
  xmlSchema: 'XML schema',
  xmlSchemaSummary: 'How the XML documents are built.',
  health: 'Health',
  healthSummary: 'Whether the service can answer at this moment.',
});
