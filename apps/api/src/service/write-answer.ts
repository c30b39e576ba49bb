import { createHash } from 'node:crypto';
import {
  describeError,
  type ErrorDefinition,
  errorCatalogue,
  type ServiceError,
} from '@takt/error-catalogue';
import type { Resource } from '@takt/resources';
import type { ApiAnswer } from '../http/answer.js';
import { writers } from '../representations/writers.js';
import { linkSuffixOf, type ReadRequest, type Surroundings, writingContextOf } from './read-request.js';

/** What decides about the form of an answer besides its address. */
const VARY = 'Accept, Accept-Language, Authorization';

/**
 * The document of a resource as an answer. A jsonstream goes out piece by piece; it is a page of at most some
 * hundred kilobytes that the statement gave at once, so it is written to its end first: it has an ETag like the
 * others, and cannot break off for a reason of ours.
 */
export function successAnswer(resource: Resource, document: Iterable<string>, read: ReadRequest): ApiAnswer {
  const pieces = [...document];
  const whole = Buffer.from(pieces.join(''));
  const isStreamed = read.format === 'jsonstream';
  return {
    status: 200,
    headers: {
      'Content-Type': writers[read.format].contentType,
      Vary: VARY,
      ETag: etagOf(read.format === 'html' ? withoutRequestId(whole, read.request.id) : [whole]),
      'Resource-Id': String(resource.identifier),
      'Resource-Version': String(resource.version),
    },
    body: isStreamed ? pieces : whole,
    isStreamed,
  };
}

/** An error as an answer, in the format and language of its request. */
export function errorAnswer(error: ServiceError, read: ReadRequest, around: Surroundings): ApiAnswer {
  const { retryAfterSeconds, wwwAuthenticate }: ErrorDefinition = errorCatalogue[error.code];
  const description = describeError(error, read.language);
  const writer = writers[read.format];
  return {
    status: description.status,
    headers: {
      'Content-Type': writer.contentType,
      Vary: VARY,
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(wwwAuthenticate === undefined ? {} : { 'WWW-Authenticate': wwwAuthenticate }),
    },
    body: writer.error(description, {
      ...writingContextOf(read, around),
      // The link to the message must lead there: it cannot go on with a company that nobody may have permitted.
      linkSuffix: linkSuffixOf(read, {
        withCompany: description.status !== 403 && error.code !== 'resourceNotFound',
      }),
    }),
    isStreamed: false,
  };
}

/** A page ends with the identifier of its request, without which it is the same each time. */
function withoutRequestId(page: Buffer, requestId: string): readonly Buffer[] {
  const at = page.lastIndexOf(requestId);
  return at < 0 ? [page] : [page.subarray(0, at), page.subarray(at + Buffer.byteLength(requestId))];
}

/** Weak: the same content may be sent with different encodings. */
function etagOf(pieces: readonly Buffer[]): string {
  const hash = createHash('sha1');
  for (const piece of pieces) hash.update(piece);
  return `W/"${hash.digest('base64url')}"`;
}
