/** A document of the folder docs that the service shows as a page. */
export interface ServedDocument {
  /** The last part of the address of the document's page. */
  readonly name: string;
  /** The path of the file inside the folder docs. */
  readonly file: string;
}

/** The documents in the order of the start page. To add a document, add a line here. */
export const servedDocuments: readonly ServedDocument[] = [
  { name: 'planners', file: 'planners.md' },
  { name: 'reading', file: 'reading.md' },
  { name: 'query-language', file: 'reference/query-language.md' },
  { name: 'formats', file: 'reference/formats.md' },
  { name: 'errors', file: 'reference/errors.md' },
  { name: 'client', file: 'client.md' },
  { name: 'publishing', file: 'publishing.md' },
  { name: 'events', file: 'reference/events.md' },
];
