/** As deep as the publisher allows; JSON.stringify and PostgreSQL's JSON parser recurse, and give up further down. */
const MAX_DEPTH = 500;

/**
 * The value as a job of its own can hold it without becoming another event. JSON can say 1e400, which is read as
 * Infinity, but JSON.stringify writes null, which is valid in some fields: it becomes the text in an array, which
 * is valid in none. What is nested too deep is left out in the same way; no field of the contract lies that deep.
 */
export function toListable(value: unknown, depth = 0): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return [String(value)];
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return [`nested deeper than ${MAX_DEPTH}`];
  if (Array.isArray(value)) return value.map((item) => toListable(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toListable(item, depth + 1)]));
}
