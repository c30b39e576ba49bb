import { type ErrorCode, type ErrorParameters, ServiceError } from '@takt/error-catalogue';
import { QueryOptionError, type QueryOptionErrorCode } from '@takt/query-options';

/** The error that a client is told of: what nobody foresaw is internalError, with the reason for the log. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof QueryOptionError) return fromQueryOption(error);
  return new ServiceError('internalError', {}, { cause: error });
}

/** Query options that cannot be read have the names of catalogue entries; were one missing, this would not compile. */
const CODES: { readonly [Code in QueryOptionErrorCode]: Code & ErrorCode } = {
  malformedEncoding: 'malformedEncoding',
  queryTooLong: 'queryTooLong',
  tooManyParameters: 'tooManyParameters',
  unknownParameter: 'unknownParameter',
  repeatedParameter: 'repeatedParameter',
  controlCharacter: 'controlCharacter',
  parameterNotAccepted: 'parameterNotAccepted',
  invalidParameterValue: 'invalidParameterValue',
  parameterTooLong: 'parameterTooLong',
  syntaxError: 'syntaxError',
  expressionTooLarge: 'expressionTooLarge',
  unknownFunction: 'unknownFunction',
  tooManyOrderFields: 'tooManyOrderFields',
  skipWithPageKey: 'skipWithPageKey',
};

function fromQueryOption({ code, parameters }: QueryOptionError): ServiceError {
  return new ServiceError(CODES[code], parameters as ErrorParameters<ErrorCode>);
}
