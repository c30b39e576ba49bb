import { countCharacters, excerpt } from '../characters.js';
import { limits } from '../limits.js';
import { QueryOptionError } from '../query-option-error.js';
import type { QueryParameter } from '../query-string/parse-query-string.js';
import { findParameter, isTaken, listKnownParameters } from './find-parameter.js';
import type { ParameterDefinition } from './parameter-table.js';
import type { Acceptance } from './query-options.js';

/** The values of the parameters that the resource takes, by their definitions. */
export type GivenValues = ReadonlyMap<ParameterDefinition<unknown>, string>;

/** Checks names, repetition and length, in the order of the query; throws a QueryOptionError. */
export function collectParameters(
  parameters: readonly QueryParameter[],
  acceptance: Acceptance,
): GivenValues {
  const given = new Map<ParameterDefinition<unknown>, string>();
  for (const { name, value } of parameters) {
    const definition = findTakenParameter(name, acceptance);
    if (definition !== undefined) {
      if (given.has(definition)) {
        throw new QueryOptionError('repeatedParameter', { parameter: definition.name });
      }
      checkLength(definition, value);
      given.set(definition, value);
    }
  }
  return given;
}

/** Undefined for what is to be ignored. */
function findTakenParameter(name: string, acceptance: Acceptance): ParameterDefinition<unknown> | undefined {
  const definition = findParameter(name);
  if (definition === undefined) {
    if (name.startsWith('$')) {
      const known = listKnownParameters(acceptance);
      throw new QueryOptionError('unknownParameter', { parameter: excerpt(name), known });
    }
    return undefined;
  }
  if (isTaken(definition, acceptance)) {
    return definition;
  }
  if (definition.scope === 'lists') {
    throw new QueryOptionError('parameterNotAccepted', { parameter: definition.name });
  }
  return undefined;
}

function checkLength(
  { name, characterLimit = limits.valueCharacters }: ParameterDefinition<unknown>,
  value: string,
): void {
  const length = countCharacters(value);
  if (length > characterLimit) {
    throw new QueryOptionError('parameterTooLong', {
      parameter: name,
      length: String(length),
      limit: String(characterLimit),
    });
  }
}
