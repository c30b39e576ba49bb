import { type ErrorCode, errorCatalogue } from './error-catalogue.js';
import type { ErrorDefinition } from './error-definition.js';
import type { ErrorParameters } from './error-parameters.js';
import { renderMessage } from './render-message.js';

export interface ServiceErrorOptions {
  /** What went wrong in detail, where one request has several faults. */
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
function orderValues(code: ErrorCode, parameters: Readonly<Record<string, string>>): readonly string[] {
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
  readonly parameters: readonly string[];
  readonly innerErrors: readonly ServiceError[];

  constructor(code: C, ...[parameters, options]: ServiceErrorArguments<C>) {
    const values = orderValues(code, parameters ?? {});
    super(renderMessage(code, values, 'eng'), options?.cause === undefined ? {} : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.parameters = values;
    this.innerErrors = options?.innerErrors ?? [];
  }
}
