import { describeError, ServiceError } from '@takt/error-catalogue';
import type { Logger } from '@takt/runtime';
import { type ApiAnswer, type ApiRequest, bodyOf, type Service } from './answer.js';

/** Gives the answer for anything that was thrown; never throws itself. */
export type AnswerThrown = (thrown: unknown, request: ApiRequest) => ApiAnswer;

/** What is no ServiceError is a fault of ours: the client gets internalError, the log gets what was thrown. */
export function createAnswerThrown({ answerError }: Service, logger: Logger): AnswerThrown {
  return (thrown, request) => {
    const error = toServiceError(thrown);
    const cause = error === thrown ? error.cause : thrown;
    if (cause !== undefined) logger.error({ requestId: request.id, error: cause }, error.message);
    try {
      const answer = answerError(error, request);
      return { ...answer, body: bodyOf(answer), isStreamed: false };
    } catch (failure) {
      logger.error({ requestId: request.id, error: failure }, 'an error could not be written');
      return plainAnswer(error);
    }
  };
}

function toServiceError(thrown: unknown): ServiceError {
  return thrown instanceof ServiceError ? thrown : new ServiceError('internalError', {}, { cause: thrown });
}

/** The last resort: an Error object as every client knows it, in JSON, without the link that only the service can make. */
function plainAnswer(error: ServiceError): ApiAnswer {
  const { status, statusDescription, message, translatedMessage, errorMessageId, parameters } = describeError(
    error,
    'eng',
  );
  const body = JSON.stringify({
    hTTPStatusCode: String(status),
    hTTPStatusDescription: statusDescription,
    message,
    translatedMessage,
    errorMessage: { errorMessageId, errorMessageLink: null },
    parameters,
    innerErrors: [],
  });
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: Buffer.from(body),
    isStreamed: false,
  };
}
