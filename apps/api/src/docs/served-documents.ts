/** A document of the folder docs that the service shows as a page. */
export interface ServedDocument {
  /** Last part of its address. */
  readonly name: string;
  /** Below the folder docs. */
  readonly file: string;
}

/** In the order in which they are offered. A further document is a line here. */
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
