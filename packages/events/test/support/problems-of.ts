import { parseEvent } from '../../src/index.js';

/** What is wrong with the value, as `field rule (got …)`; empty when it is a valid event. */
export function problemsOf(value: unknown): string[] {
  const result = parseEvent(value);
  return result.ok ? [] : result.problems.map(({ field, rule, got }) => `${field} ${rule} (got ${got})`);
}
