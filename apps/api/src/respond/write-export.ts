import { isOfPeriods, type ListResource } from '@takt/catalogue/resources';
import type { ApiAnswer, Pieces } from '@takt/http';
import type { ExportFormat } from '@takt/query';
import { csvWriter } from '../representations/export/csv-writer.js';
import type { ExportWriter } from '../representations/export/export-columns.js';
import { xlsxWriter } from '../representations/export/xlsx-writer.js';
import type { WritingContext } from '../representations/writer.js';
import { formHeaders, KEPT_BY_NOBODY } from './write-answer.js';

/** The writer of each export format. To add a format, write a writer and add a line here. */
export const exportWriters: Readonly<Record<ExportFormat, ExportWriter>> = {
  csv: csvWriter,
  xlsx: xlsxWriter,
};

/**
 * Makes the answer with a file. The answer has no ETag, because an ETag would require the whole file before anything is
 * sent; therefore it supports no ranges. It must not be cached, because it shows the figures of a company at one
 * moment.
 */
export function exportAnswer(
  resource: ListResource,
  format: ExportFormat,
  pieces: Pieces,
  context: WritingContext,
): ApiAnswer {
  return {
    status: 200,
    headers: {
      ...formHeaders(exportWriters[format].contentType, context),
      ...KEPT_BY_NOBODY,
      'Accept-Ranges': 'none',
      'Content-Disposition': `attachment; filename="${fileNameOf(resource, context, new Date())}.${format}"`,
      'Resource-Id': String(resource.identifier),
      'Resource-Version': String(resource.version),
    },
    body: pieces,
    isStreamed: true,
  };
}

/**
 * A file name made of the path without its first part, the company, the period and the date (UTC). It contains only
 * characters that all operating systems accept.
 */
function fileNameOf(
  { source, inPeriod }: ListResource,
  { path, company, parameters }: Pick<WritingContext, 'path' | 'company' | 'parameters'>,
  now: Date,
): string {
  const [, , ...segments] = path.split('/');
  const owner = source.company === undefined || company === undefined ? [] : [company.code];
  const months = inPeriod === undefined ? [] : parameters.filter(({ name }) => isOfPeriods(name));
  const period = months
    .filter(({ value }) => value.trim() !== '')
    .map(({ name, value }) => `${name.toLowerCase()}-${value.trim()}`);
  return [segments.join('-'), ...owner, ...period, now.toISOString().slice(0, 10)]
    .map((part) => part.replace(/[^A-Za-z0-9-]+/g, '-'))
    .join('_');
}
