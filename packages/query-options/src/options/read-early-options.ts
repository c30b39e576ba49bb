import type { QueryParameter } from '../query-string/parse-query-string.js';
import { findParameter } from './find-parameter.js';
import { accessTokenParameter, type ParameterDefinition, parameterTable } from './parameter-table.js';
import { type Format, formats } from './query-options.js';
import { findChoice, readText } from './read-values.js';

/** What is needed before the parameters are checked: to know the client, and how to answer it. */
export interface EarlyOptions {
  readonly accessToken: string | undefined;
  readonly database: string | undefined;
  readonly format: Format | undefined;
  /** Three letters in lower case, known or not. */
  readonly language: string | undefined;
}

/** Reads leniently, so that an error can be answered in the form asked for: first occurrences count, wrong values are undefined. */
export function readEarlyOptions(parameters: readonly QueryParameter[]): EarlyOptions {
  const first = (definition: ParameterDefinition<unknown>): string =>
    parameters.find(({ name }) => findParameter(name) === definition)?.value ?? '';
  const language = first(parameterTable.language);
  return {
    accessToken: readText(first(accessTokenParameter)),
    database: readText(first(parameterTable.database)),
    format: findChoice(first(parameterTable.format), formats),
    language: /^[A-Za-z]{3}$/.test(language) ? language.toLowerCase() : undefined,
  };
}
