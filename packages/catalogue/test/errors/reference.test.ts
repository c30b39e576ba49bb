import { type ErrorEntry, errorCatalogue } from '@takt/catalogue/errors';
import { expectWrittenPart } from '@takt/test-support';

const NAMESPACES = {
  system: 'The service and HTTP',
  access: 'Tokens and rights',
  query: 'The query string',
  resource: 'Paths and objects',
  intake: 'Events over HTTP',
} as const;

/** Writes the text of an error as a table cell. The placeholders show the names of the parameters. */
function cellOf({ text, parameters }: ErrorEntry): string {
  return text
    .replace(/\{(\d+)\}/g, (_, index: string) => `{${parameters[Number(index)]}}`)
    .replaceAll('|', '\\|');
}

/** Writes the errors of a namespace as a table, sorted by identifier. */
function tableOf(namespace: string): string {
  const errors = Object.values<ErrorEntry>(errorCatalogue)
    .filter((error) => error.namespace === namespace)
    .sort((one, other) => one.errorMessageId - other.errorMessageId);
  const rows = errors.map((error) => `| ${error.errorMessageId} | ${error.status} | ${cellOf(error)} |`);
  return ['| errorMessageId | status | text |', '| ---: | --- | --- |', ...rows].join('\n');
}

describe('the reference of errors', () => {
  it('lists every error of the catalogue', () => {
    const parts = Object.entries(NAMESPACES).map(
      ([namespace, title]) => `## ${title}\n\n${tableOf(namespace)}`,
    );
    expectWrittenPart('docs/reference/errors.md', parts.join('\n\n'));
  });
});
