import { type ErrorEntry, errorCatalogue } from '@takt/error-catalogue';
import { type AnswerFailure, createAnswerFailure, errorObjectOf } from '@takt/http';
import { parseQueryString } from '@takt/query-options';
import type { Logger } from '@takt/runtime';
import { languageTag } from '@takt/texts';
import { languageOf } from './read-parameters.js';

export interface FailureOptions {
  /** Of the API: begins the links to error messages; absolute, without a slash at its end. */
  readonly apiUrl: string;
  readonly logger: Logger;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Whatever fails becomes an error of the catalogue, as JSON in the language of `$lang`. */
export function createJsonFailure({ apiUrl, logger }: FailureOptions): AnswerFailure {
  return createAnswerFailure({
    logger,
    write: (error, { queryText }) => {
      const { status, retryAfterSeconds, wwwAuthenticate }: ErrorEntry = errorCatalogue[error.code];
      const language = languageOf(parseQueryString(queryText));
      return {
        status,
        headers: {
          'Content-Type': JSON_TYPE,
          'Content-Language': languageTag(language),
          ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
          ...(wwwAuthenticate === undefined ? {} : { 'WWW-Authenticate': wwwAuthenticate }),
        },
        body: Buffer.from(JSON.stringify(errorObjectOf(error, language, apiUrl))),
        isStreamed: false,
      };
    },
  });
}
