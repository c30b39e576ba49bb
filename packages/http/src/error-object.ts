import { describeError, type ErrorDescription, type ServiceError } from '@takt/error-catalogue';
import type { Language } from '@takt/texts';

/** What is told of an error and of each of its inner errors. */
export interface InnerErrorObject {
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
