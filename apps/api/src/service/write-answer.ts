import { createHash } from 'node:crypto';
import { describeError, type ErrorEntry, errorCatalogue, type ServiceError } from '@takt/catalogue/errors';
import type { WholeAnswer } from '@takt/http';
import type { Format } from '@takt/query';
import { languageTag } from '@takt/texts';
import { htmlWriter } from '../pages/index.js';
import { jsonWriter } from '../representations/json-writer.js';
import type { DetailPage, ListPage, Writer, WritingContext } from '../representations/writer.js';
import { xmlWriter } from '../representations/xml-writer.js';

/** A format is a writer and a line here. A jsonstream is the same document as json, sent in pieces. */
export const writers: Readonly<Record<Format, Writer>> = {
  json: jsonWriter,
  jsonstream: jsonWriter,
  xml: xmlWriter,
  html: htmlWriter,
};

/** What decides about the form of an answer besides its address. */
const VARY = 'Accept, Accept-Language, Authorization, Cookie';

/**
 * A page for people is that of who is signed in: nobody is to find it later in a cache or behind the back button.
 */
export const KEPT_BY_NOBODY = { 'Cache-Control': 'private, no-store' };

/**
 * A page as an answer. A jsonstream goes out piece by piece; it is a page of at most some hundred kilobytes that the
 * statement gave at once, so it is written to its end first: it has an ETag like the others, and cannot break off for
 * a reason of ours.
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

/** What there is, as an answer: no resource, so it bears no identifier of one. */
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

/** What every document is sent with that is no error. */
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

/** In which form and language an answer is, and what that depended on. */
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

/** A page ends with the identifier of its request and the time, without which it is the same each time. */
function withoutRequestId(page: Buffer, requestId: string): Buffer {
  // With the tag behind it: a client may call its request `body`.
  const at = page.lastIndexOf(`>${requestId}</code>`);
  return at < 0 ? page : page.subarray(0, at);
}

/** Weak: the same content may be sent with different encodings. */
function etagOf(content: Buffer): string {
  return `W/"${createHash('sha1').update(content).digest('base64url')}"`;
}
