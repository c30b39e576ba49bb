import type { Language } from '@takt/texts';
import { type ErrorCode, type ErrorParameters, errorCatalogue } from './error-catalogue.js';
import {
  type ErrorDefinition,
  type ErrorValue,
  type HttpStatus,
  renderValue,
  statusDescriptions,
} from './error-definition.js';

interface ServiceErrorOptions {
  /** One error for each problem, if a request has several problems. */
  readonly innerErrors?: readonly ServiceError[];
  /** The error that was caught. It is logged, and clients never see it. */
  readonly cause?: unknown;
}

/**
 * The arguments of the constructor after the code: the parameters and the options. They may be omitted for an error
 * without parameters.
 */
type ServiceErrorArguments<C extends ErrorCode> =
  Record<string, never> extends ErrorParameters<C>
    ? [parameters?: ErrorParameters<C>, options?: ServiceErrorOptions]
    : [parameters: ErrorParameters<C>, options?: ServiceErrorOptions];

/**
 * Returns the values of an error in the order of its placeholders. Throws if a value is missing, because the text of
 * the error would be incomplete.
 */
function orderValues(
  code: ErrorCode,
  parameters: Readonly<Record<string, ErrorValue>>,
): readonly ErrorValue[] {
  const { parameters: names }: ErrorDefinition = errorCatalogue[code];
  return names.map((name) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (value === undefined) throw new TypeError(`${code} needs the parameter ${name}`);
    return value;
  });
}

/**
 * Throw this error to answer a request with an error of the catalogue. It consists of the code of the entry and the
 * values of the parameters. `message` is the English text, which is logged.
 */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode;
  /** The values of the parameters, in the order in which the entry lists its parameters. */
  readonly parameters: readonly ErrorValue[];
  readonly innerErrors: readonly ServiceError[];

  constructor(code: C, ...[parameters, options]: ServiceErrorArguments<C>) {
    const values = orderValues(code, parameters ?? {});
    super(
      renderMessage(code, renderValues(values, 'eng'), 'eng'),
      options?.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = 'ServiceError';
    this.code = code;
    this.parameters = values;
    this.innerErrors = options?.innerErrors ?? [];
  }
}

/** The content of an error answer, whatever the format of the answer is. */
export interface ErrorDescription {
  readonly status: HttpStatus;
  readonly statusDescription: string;
  /** The English text. The placeholders are replaced by values. */
  readonly message: string;
  /** The text in the language of the request. The placeholders are replaced by values. */
  readonly translatedMessage: string;
  readonly errorMessageId: number;
  /** The values in the form in which translatedMessage contains them. */
  readonly parameters: readonly { readonly index: number; readonly value: string }[];
  readonly innerErrors: readonly ErrorDescription[];
}

export function describeError(error: ServiceError, language: Language): ErrorDescription {
  const { status, errorMessageId } = errorCatalogue[error.code];
  const values = renderValues(error.parameters, language);
  return {
    status,
    statusDescription: statusDescriptions[status],
    message: renderMessage(error.code, renderValues(error.parameters, 'eng'), 'eng'),
    translatedMessage: renderMessage(error.code, values, language),
    errorMessageId,
    parameters: values.map((value, index) => ({ index, value })),
    innerErrors: error.innerErrors.map((inner) => describeError(inner, language)),
  };
}

function renderValues(values: readonly ErrorValue[], language: Language): readonly string[] {
  return values.map((value) => renderValue(value, language));
}

/**
 * Fills values into the placeholders of an error's text. All placeholders are filled in one pass, so a `{1}` inside a
 * value is not taken for a placeholder. A placeholder without a value is left as it is.
 */
export function renderMessage(
  code: ErrorCode,
  parameterValues: readonly string[],
  language: Language,
): string {
  return errorCatalogue[code].texts[language].replaceAll(
    /\{(\d+)\}/g,
    (placeholder, index: string) => parameterValues[Number(index)] ?? placeholder,
  );
}
