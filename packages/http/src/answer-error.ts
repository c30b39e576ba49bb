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
  /** Writes an error in the form that its request asks for. */
  readonly write: (error: ServiceError, request: ApiRequest) => WholeAnswer;
  readonly logger: Logger;
}

/**
 * The one way from what was thrown to an answer, for a resource, for what else fails over HTTP and for what is too
 * broken to be a request: called once for each request that fails. An unforeseen failure is told to the log here, and
 * nowhere else; the client gets internalError.
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

/** The error that a client is told of. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (!(thrown instanceof QueryOptionError)) return new ServiceError('internalError', {}, { cause: thrown });
  // The codes and words of query options are in the catalogue: were one missing there, this would not compile.
  const code: ErrorCode = thrown.code;
  const parameters = Object.entries<ErrorValue>(thrown.parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? withoutTokens(value) : value,
  ]);
  return new ServiceError(code, Object.fromEntries(parameters) as ErrorParameters<ErrorCode>);
}

/** The last resort: an Error object as every client knows it, in JSON, without the link that only a writer can make. */
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

/** The part that an error and each of its inner errors have. */
interface InnerErrorObject {
  readonly message: string;
  readonly translatedMessage: string;
  readonly errorMessage: { readonly errorMessageId: number; readonly errorMessageLink: string | null };
  readonly parameters: readonly { readonly index: number; readonly value: string }[];
  readonly innerErrors: readonly InnerErrorObject[];
}

/** An error as JSON.stringify writes it; the status comes first and is text: clients rely on it. */
export interface ErrorObject extends InnerErrorObject {
  readonly hTTPStatusCode: string;
  readonly hTTPStatusDescription: string;
}

/**
 * An error in the form that the API's definition of it has in JSON, for apps that serve no resources.
 * @param apiUrl where error messages are resources, without a slash at its end; undefined: no link can be made
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
