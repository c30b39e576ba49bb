import { createHash } from 'node:crypto';
import { describeError, type ErrorEntry, errorCatalogue, type ServiceError } from '@takt/catalogue/errors';
import type { WholeAnswer } from '@takt/http';
import type { Format } from '@takt/query';
import { languageTag } from '@takt/texts';
import { htmlWriter } from '../pages/index.js';
import { jsonWriter } from '../representations/json-writer.js';
import type { DetailPage, ListPage, Writer, WritingContext } from '../representations/writer.js';
import { xmlWriter } from '../representations/xml-writer.js';

/**
 * The writer of each format. To add a format, write a writer and add a line here. A jsonstream is the same document as
 * json, but is sent in pieces.
 */
export const writers: Readonly<Record<Format, Writer>> = {
  json: jsonWriter,
  jsonstream: jsonWriter,
  xml: xmlWriter,
  html: htmlWriter,
};

/** The names of the request headers that determine an answer, in addition to its address. */
const VARY = 'Accept, Accept-Language, Authorization, Cookie';

/**
 * Headers that forbid caching. The page of a signed-in person must not appear later from a cache or after pressing the
 * back button.
 */
export const KEPT_BY_NOBODY = { 'Cache-Control': 'private, no-store' };

/**
 * Makes the answer with a page of data. A jsonstream is sent in pieces. All its pieces are written before the first is
 * sent: its rows, at most some hundred kilobytes, are in memory anyway. So the answer has an ETag, and an error of this
 * program cannot cut it off.
 */
export function writeAnswer(
  page: ListPage | DetailPage,
  format: Format,
  context: WritingContext,
): WholeAnswer {
  const writer = writers[format];
  const pieces = [...('rows' in page ? writer.list(page, context) : writer.detail(page, context))];
  const whole = Buffer.from(pieces.join(''));
  const isStreamed = format === 'jsonstream';
  return {
    status: 200,
    headers: {
      ...representationHeaders(whole, format, context),
      'Resource-Id': String(page.resource.identifier),
      'Resource-Version': String(page.resource.version),
    },
    body: isStreamed ? pieces : whole,
    isStreamed,
  };
}

/** Makes the answer with the index. The index is not a resource, so the answer has no Resource-Id. */
export function writeIndex(format: Format, context: WritingContext): WholeAnswer {
  const whole = Buffer.from([...writers[format].index(context)].join(''));
  return {
    status: 200,
    headers: representationHeaders(whole, format, context),
    body: whole,
    isStreamed: false,
  };
}

/** Makes the answer with an error, in the format and language of the request. */
export function writeError(error: ServiceError, format: Format, context: WritingContext): WholeAnswer {
  const { retryAfterSeconds, wwwAuthenticate }: ErrorEntry = errorCatalogue[error.code];
  const description = describeError(error, context.language);
  const writer = writers[format];
  return {
    status: description.status,
    headers: {
      ...formHeaders(writers[format].contentType, context),
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(wwwAuthenticate === undefined ? {} : { 'WWW-Authenticate': wwwAuthenticate }),
    },
    body: writer.error(description, context),
    isStreamed: false,
  };
}

/** The headers that all documents except errors have. */
export function representationHeaders(
  whole: Buffer,
  format: Format,
  context: Pick<WritingContext, 'language'>,
): Readonly<Record<string, string>> {
  return {
    ...formHeaders(writers[format].contentType, context),
    ...(format === 'html' ? KEPT_BY_NOBODY : {}),
    ETag: etagOf(format === 'html' ? withoutReadingTime(whole) : whole),
  };
}

/** The headers that describe the format and the language, and the Vary header. */
export function formHeaders(
  contentType: string,
  { language }: Pick<WritingContext, 'language'>,
): Readonly<Record<string, string>> {
  return {
    'Content-Type': contentType,
    'Content-Language': languageTag(language),
    Vary: VARY,
  };
}

/**
 * The part of a page that is the same whenever the data are the same. It ends before the time of reading, which is at
 * the end of the page. Texts of the data cannot contain the tag, because they are escaped.
 */
function withoutReadingTime(page: Buffer): Buffer {
  const at = page.lastIndexOf('<time ');
  return at < 0 ? page : page.subarray(0, at);
}

/** Makes a weak ETag. The ETag is weak because the same content has other bytes in another encoding. */
function etagOf(content: Buffer): string {
  return `W/"${createHash('sha1').update(content).digest('base64url')}"`;
}
