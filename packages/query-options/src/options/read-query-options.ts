import { QueryOptionError } from '../query-option-error.js';
import type { QueryParameter } from '../query-string/parse-query-string.js';
import { collectParameters } from './collect-parameters.js';
import { type ParameterDefinition, parameterTable } from './parameter-table.js';
import type { Acceptance, QueryOptions } from './query-options.js';

/**
 * Reads what a client asks of a resource. Known parameters may come once each, in any order and case; an unknown one is
 * ignored unless its name starts with `$`. Throws a QueryOptionError for the first thing that is wrong: names and
 * lengths in the order of the query, then values.
 */
export function readQueryOptions(
  parameters: readonly QueryParameter[],
  acceptance: Acceptance,
): QueryOptions {
  const given = collectParameters(parameters, acceptance);
  if (given.has(parameterTable.skip) && given.has(parameterTable.pageKey)) {
    throw new QueryOptionError('skipWithPageKey', {});
  }
  const entries = Object.entries<ParameterDefinition<unknown>>(parameterTable).map(([name, definition]) => {
    const value = given.get(definition);
    const option =
      value === undefined
        ? definition.absent(acceptance)
        : definition.read(value, acceptance, definition.name);
    return [name, option] as const;
  });
  const options: unknown = Object.fromEntries(entries);
  // Not a guess: the type of the table demands a definition of every option, and that it gives the option's type.
  return options as QueryOptions;
}
