import { errorCatalogue } from './error-catalogue.js';
import type { Language } from './languages.js';
import { renderMessage } from './render-message.js';
import type { ServiceError } from './service-error.js';
import { type HttpStatus, statusDescriptions } from './status-descriptions.js';

/** What an error response says, before it becomes JSON, XML or HTML. */
export interface ErrorDescription {
  readonly status: HttpStatus;
  readonly statusDescription: string;
  /** The English text with its values. */
  readonly message: string;
  /** The same in the language of the request. */
  readonly translatedMessage: string;
  readonly errorMessageId: number;
  readonly parameters: readonly { readonly index: number; readonly value: string }[];
  readonly innerErrors: readonly ErrorDescription[];
}

/** A plain value that says everything about an error and its inner errors, in English and in `language`. */
export function describeError(error: ServiceError, language: Language): ErrorDescription {
  const { status, errorMessageId } = errorCatalogue[error.code];
  return {
    status,
    statusDescription: statusDescriptions[status],
    message: renderMessage(error.code, error.parameters, 'eng'),
    translatedMessage: renderMessage(error.code, error.parameters, language),
    errorMessageId,
    parameters: error.parameters.map((value, index) => ({ index, value })),
    innerErrors: error.innerErrors.map((inner) => describeError(inner, language)),
  };
}
