import type { ErrorDescription } from '@takt/error-catalogue';
import type { DetailPage, ListPage, WritingContext } from './page.js';

/** Writes a page in one format, in pieces that are a document when put together. Pieces of a list come row by row. */
export interface Writer {
  readonly contentType: string;
  list(page: ListPage, context: WritingContext): Iterable<string>;
  detail(page: DetailPage, context: WritingContext): Iterable<string>;
  error(error: ErrorDescription, context: WritingContext): Iterable<string>;
}
