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
  /** The individual problems, if a request has several. */
  readonly innerErrors?: readonly ServiceError[];
  /** The caught error, for the log; clients never see it. */
  readonly cause?: unknown;
}

/** The further arguments of the constructor: parameters and options. An error without parameters needs none. */
type ServiceErrorArguments<C extends ErrorCode> =
  Record<string, never> extends ErrorParameters<C>
    ? [parameters?: ErrorParameters<C>, options?: ServiceErrorOptions]
    : [parameters: ErrorParameters<C>, options?: ServiceErrorOptions];

/**
 * Returns the values in the order of the placeholders. Throws if one is missing, because the sentence would be
 * incomplete.
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
 * The error to throw to answer a request with an error: the code of a catalogue entry, with its parameters. `message`
 * is the English text, for the log.
 */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode;
  /** The values in the order of the entry's parameters. */
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

/** The content of an error response, independent of its format. */
export interface ErrorDescription {
  readonly status: HttpStatus;
  readonly statusDescription: string;
  /** The English text, with values filled in. */
  readonly message: string;
  /** The text in the language of the request. */
  readonly translatedMessage: string;
  readonly errorMessageId: number;
  /** The values as they appear in translatedMessage. */
  readonly parameters: readonly { readonly index: number; readonly value: string }[];
  readonly innerErrors: readonly ErrorDescription[];
}

/** Describes an error and its inner errors, in English and in `language`. */
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
 * Fills the placeholders of an error's text in one pass, so that a `{1}` within a value stays as it is. A placeholder
 * without a value stays too.
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
