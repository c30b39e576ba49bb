import { STATUS_CODES } from 'node:http';
import { describeError, type ErrorEntry, errorCatalogue, ServiceError } from '@takt/catalogue/errors';
import { errorObjectOf } from '../src/answer-error.js';

/** Maximum size of a body in bytes in haproxy.cfg, except for uploads. */
const MAX_BODY_BYTES = 20_000_000;
/** Time for the head of a request in haproxy.cfg. */
const HEAD_SECONDS = 10;

/** The errors of the catalogue by the statuses for which HAProxy has a file. */
const ERRORS: Readonly<Record<number, ServiceError>> = {
  400: new ServiceError('malformedRequest'),
  404: new ServiceError('resourceNotFound', { verb: 'GET', path: '/metrics' }),
  408: new ServiceError('requestTimeout', { seconds: String(HEAD_SECONDS) }),
  413: new ServiceError('bodyTooLarge', { limit: String(MAX_BODY_BYTES) }),
  429: new ServiceError('overloaded'),
  500: new ServiceError('internalError'),
  502: new ServiceError('internalError'),
  503: new ServiceError('overloaded'),
  504: new ServiceError('requestBudgetSpent'),
};

interface ErrorFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the files with the answers that HAProxy gives itself: errors of the catalogue in English, with the statuses of the
 * catalogue, as JSON for programs and as pages for people. Links are relative, because one file serves every site.
 */
export function proxyErrors(): readonly ErrorFile[] {
  return Object.entries(ERRORS).flatMap(([status, error]) => [
    { name: `${status}.http`, text: answer(error, 'application/json; charset=utf-8', jsonOf(error)) },
    { name: `${status}-page.http`, text: answer(error, 'text/html; charset=utf-8', pageOf(error)) },
  ]);
}

function answer(error: ServiceError, type: string, body: string): string {
  const { status, retryAfterSeconds }: ErrorEntry = errorCatalogue[error.code];
  const headers = [
    `Content-Type: ${type}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}

const jsonOf = (error: ServiceError) => JSON.stringify(errorObjectOf(error, 'eng', ''));

function pageOf(error: ServiceError): string {
  const { message } = describeError(error, 'eng');
  return `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Takt</title></head><body><h1>${message}</h1></body></html>\n`;
}
