import { lowerAscii } from '../characters.js';
import { accessTokenParameter, type ParameterDefinition, parameterTable } from './parameter-table.js';
import type { Acceptance } from './query-options.js';

const definitions: readonly ParameterDefinition<unknown>[] = [
  accessTokenParameter,
  ...Object.values(parameterTable),
];

/** A Map, because the names come from clients and an object knows `constructor`. */
const byLowerName: ReadonlyMap<string, ParameterDefinition<unknown>> = new Map(
  definitions.flatMap((definition) =>
    [definition.name, definition.alias ?? definition.name].map((name) => [lowerAscii(name), definition]),
  ),
);

/** The parameter of a name or alias, in any case. */
export function findParameter(name: string): ParameterDefinition<unknown> | undefined {
  return byLowerName.get(lowerAscii(name));
}

/** The names of what a resource takes, as an error lists them. */
export function listKnownParameters(acceptance: Acceptance): string {
  return definitions
    .filter((definition) => isTaken(definition, acceptance))
    .map(({ name }) => name)
    .join(', ');
}

export function isTaken({ scope }: ParameterDefinition<unknown>, acceptance: Acceptance): boolean {
  switch (scope) {
    case 'lists':
      return acceptance.kind === 'list';
    case 'search':
      return acceptance.takesSearch;
    default:
      return true;
  }
}
