/** A document of the folder docs with a page in the service. */
export interface ServedDocument {
  /** Last part of the address of the document's page. */
  readonly name: string;
  /** Relative to the folder docs. */
  readonly file: string;
}

/** In the order of the index. To add a document, add a line here. */
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
