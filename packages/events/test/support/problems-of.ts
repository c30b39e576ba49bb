import { parseEvent } from '../../src/index.js';

/** Returns the problems of the value as `field rule (got …)`; empty for a valid event. */
export function problemsOf(value: unknown): string[] {
  const result = parseEvent(value);
  return result.ok ? [] : result.problems.map(({ field, rule, got }) => `${field} ${rule} (got ${got})`);
}
