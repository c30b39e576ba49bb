import { type ErrorCode, type ErrorParameters, ServiceError } from '@takt/error-catalogue';
import { QueryOptionError } from '@takt/query-options';

/** The error that a client is told of: what nobody foresaw is internalError, with the reason for the log. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof QueryOptionError) return fromQueryOption(error);
  return new ServiceError('internalError', {}, { cause: error });
}

/** The codes of query options are entries of the catalogue: were one missing there, this would not compile. */
function fromQueryOption({ code, parameters }: QueryOptionError): ServiceError {
  const known: ErrorCode = code;
  return new ServiceError(known, parameters as ErrorParameters<ErrorCode>);
}
