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
  /** What went wrong in detail, where one request has several problems. */
  readonly innerErrors?: readonly ServiceError[];
  /** What was caught, for the log; never shown to clients. */
  readonly cause?: unknown;
}

/** Parameters and options as arguments: parameters may be left out where the error has none. */
type ServiceErrorArguments<C extends ErrorCode> =
  Record<string, never> extends ErrorParameters<C>
    ? [parameters?: ErrorParameters<C>, options?: ServiceErrorOptions]
    : [parameters: ErrorParameters<C>, options?: ServiceErrorOptions];

/** The values in the order of the placeholders. A gap would reach the client as a broken sentence, so it throws. */
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
 * What code throws to answer a request with an error: the code of a catalogue entry and its parameters, never prose.
 * `message` is the English text, for the log.
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

/** What an error response says, before it becomes JSON, XML or HTML. */
export interface ErrorDescription {
  readonly status: HttpStatus;
  readonly statusDescription: string;
  /** The English text with its values. */
  readonly message: string;
  /** The same in the language of the request. */
  readonly translatedMessage: string;
  readonly errorMessageId: number;
  /** In the language of the request, as translatedMessage holds them. */
  readonly parameters: readonly { readonly index: number; readonly value: string }[];
  readonly innerErrors: readonly ErrorDescription[];
}

/** A plain value that says everything about an error and its inner errors, in English and in `language`. */
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
 * The text of an error with its parameter values, given in the order of the placeholders. One pass: a value that
 * itself holds `{1}` stays as it is. A placeholder without a value stays as well.
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
