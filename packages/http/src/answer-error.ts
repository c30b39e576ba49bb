import {
  describeError,
  type ErrorCode,
  type ErrorDescription,
  type ErrorEntry,
  type ErrorParameters,
  type ErrorValue,
  errorCatalogue,
  ServiceError,
} from '@takt/catalogue/errors';
import { QueryOptionError } from '@takt/query';
import type { Logger } from '@takt/run';
import type { Language } from '@takt/texts';
import { type AnswerError, type ApiRequest, bodyOf, type WholeAnswer } from './answer.js';
import { withoutTokens } from './http-request.js';
import { FAILURE_LINES_A_SECOND, limitLines } from './request-record.js';

interface AnswerErrorOptions {
  readonly write: (error: ServiceError, request: ApiRequest) => WholeAnswer;
  readonly logger: Logger;
}

/**
 * Creates the function that turns anything thrown into an answer, for resources, other routes and malformed requests.
 * It is called once for each failed request, and it is the only place that logs an unforeseen failure. The client then
 * gets internalError.
 */
export function createAnswerError({ write, logger }: AnswerErrorOptions): AnswerError {
  const mayWrite = limitLines((leftOut) => logger.error({ leftOut }, 'more failures'));
  return (thrown, request) => {
    const error = toServiceError(thrown);
    if (error.cause !== undefined && mayWrite(error.code, FAILURE_LINES_A_SECOND)) {
      logger.error({ requestId: request.id, error: error.cause }, error.message);
    }
    try {
      const answer = write(error, request);
      return { ...answer, body: bodyOf(answer), isStreamed: false };
    } catch (second) {
      if (mayWrite('an error could not be written', FAILURE_LINES_A_SECOND)) {
        logger.error({ requestId: request.id, error: second }, 'an error could not be written');
      }
      return plainAnswer(error);
    }
  };
}

export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (!(thrown instanceof QueryOptionError)) return new ServiceError('internalError', {}, { cause: thrown });
  // The type lets the compiler check that the catalogue has each code of the query options.
  const code: ErrorCode = thrown.code;
  const parameters = Object.entries<ErrorValue>(thrown.parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? withoutTokens(value) : value,
  ]);
  return new ServiceError(code, Object.fromEntries(parameters) as ErrorParameters<ErrorCode>);
}

/**
 * Makes the answer that is sent if the writer fails: an Error object in JSON. The object has no link, because only the
 * writer can make the link.
 */
function plainAnswer(error: ServiceError): WholeAnswer {
  const { status }: ErrorEntry = errorCatalogue[error.code];
  const body = JSON.stringify(errorObjectOf(error, 'eng', undefined));
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: Buffer.from(body),
    isStreamed: false,
  };
}

interface InnerErrorObject {
  readonly message: string;
  readonly translatedMessage: string;
  readonly errorMessage: { readonly errorMessageId: number; readonly errorMessageLink: string | null };
  readonly parameters: readonly { readonly index: number; readonly value: string }[];
  readonly innerErrors: readonly InnerErrorObject[];
}

/**
 * An error in the order in which JSON.stringify writes it. Clients rely on the status being the first field and a
 * string.
 */
export interface ErrorObject extends InnerErrorObject {
  readonly hTTPStatusCode: string;
  readonly hTTPStatusDescription: string;
}

/**
 * Returns an error in the JSON format of the API, for apps that serve no resources.
 * @param apiUrl base URL of the resource of error messages, without a trailing slash; if undefined, the object has no
 * link
 */
export function errorObjectOf(
  error: ServiceError,
  language: Language,
  apiUrl: string | undefined,
): ErrorObject {
  const description = describeError(error, language);
  return {
    hTTPStatusCode: String(description.status),
    hTTPStatusDescription: description.statusDescription,
    ...innerOf(description, apiUrl),
  };
}

function innerOf(description: ErrorDescription, apiUrl: string | undefined): InnerErrorObject {
  const { message, translatedMessage, errorMessageId, parameters, innerErrors } = description;
  const errorMessageLink = apiUrl === undefined ? null : `${apiUrl}/system/error-messages/${errorMessageId}`;
  return {
    message,
    translatedMessage,
    errorMessage: { errorMessageId, errorMessageLink },
    parameters,
    innerErrors: innerErrors.map((inner) => innerOf(inner, apiUrl)),
  };
}
