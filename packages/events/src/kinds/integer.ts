import { defineKind } from './define-kind.js';

function defineInteger(name: string, minimum: number, maximum: number) {
  return defineKind({
    name,
    rule: `an integer from ${minimum} to ${maximum}`,
    jsonSchema: { type: 'integer', minimum, maximum },
    read: (value) => {
      const isInRange = typeof value === 'number' && value >= minimum && value <= maximum;
      // Adding zero turns minus zero, which JSON can carry, into zero.
      return isInRange && Number.isInteger(value) ? value + 0 : undefined;
    },
  });
}

/** Identifier or revision: every integer that a JSON number holds exactly, from 1. */
export const identifier = defineInteger('identifier', 1, Number.MAX_SAFE_INTEGER);
/** Any integer that a JSON number holds exactly. */
export const integer = defineInteger('integer', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
/** Status, version, priority: what a PostgreSQL integer holds. */
export const int32 = defineInteger('int32', -(2 ** 31), 2 ** 31 - 1);
/** The API addresses applications from this number on. */
export const applicationIdentifier = defineInteger('applicationIdentifier', 10_000, Number.MAX_SAFE_INTEGER);
/** The API addresses application versions from this number on. */
export const applicationVersionIdentifier = defineInteger(
  'applicationVersionIdentifier',
  100,
  Number.MAX_SAFE_INTEGER,
);
