import { createHash } from 'node:crypto';
import { describeError, type ErrorEntry, errorCatalogue, type ServiceError } from '@takt/catalogue/errors';
import type { WholeAnswer } from '@takt/http';
import type { Format } from '@takt/query';
import { languageTag } from '@takt/texts';
import { htmlWriter } from '../pages/index.js';
import { jsonWriter } from '../representations/json-writer.js';
import type { DetailPage, ListPage, Writer, WritingContext } from '../representations/writer.js';
import { xmlWriter } from '../representations/xml-writer.js';

/** To add a format, add a writer and a line here. A jsonstream is the same document as json, sent in pieces. */
export const writers: Readonly<Record<Format, Writer>> = {
  json: jsonWriter,
  jsonstream: jsonWriter,
  xml: xmlWriter,
  html: htmlWriter,
};

/** The request headers that determine an answer, in addition to its address. */
const VARY = 'Accept, Accept-Language, Authorization, Cookie';

/** The page of a signed-in person must not be found later in a cache or by the back button. */
export const KEPT_BY_NOBODY = { 'Cache-Control': 'private, no-store' };

/**
 * A page as an answer. A jsonstream is sent in pieces, but all its pieces are written first, since its rows (at most
 * some hundred kilobytes) are in memory anyway. So it has an ETag, and no error of this program can cut it off.
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

/** The index as an answer. It is not a resource, so it has no Resource-Id. */
export function writeIndex(format: Format, context: WritingContext): WholeAnswer {
  const whole = Buffer.from([...writers[format].index(context)].join(''));
  return {
    status: 200,
    headers: representationHeaders(whole, format, context),
    body: whole,
    isStreamed: false,
  };
}

/** An error as an answer, in the format and language of its request. */
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

/** Headers of all documents except errors. */
export function representationHeaders(
  whole: Buffer,
  format: Format,
  context: Pick<WritingContext, 'language' | 'requestId'>,
): Readonly<Record<string, string>> {
  return {
    ...formHeaders(writers[format].contentType, context),
    ...(format === 'html' ? KEPT_BY_NOBODY : {}),
    ETag: etagOf(format === 'html' ? withoutRequestId(whole, context.requestId) : whole),
  };
}

/** Headers for format and language, with the Vary header. */
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

/** The part of a page before the request id and the time at its end; this part is the same for the same data. */
function withoutRequestId(page: Buffer, requestId: string): Buffer {
  // Looks for the tag too, because a client may choose `body` as its request id.
  const at = page.lastIndexOf(`>${requestId}</code>`);
  return at < 0 ? page : page.subarray(0, at);
}

/** A weak ETag, because the bytes differ between encodings of the same content. */
function etagOf(content: Buffer): string {
  return `W/"${createHash('sha1').update(content).digest('base64url')}"`;
}
