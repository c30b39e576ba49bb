/**
 * Maximum depth of nested values, the same as the publisher's limit. The limit is needed because JSON.stringify and
 * PostgreSQL's JSON parser are recursive and fail at some depth.
 */
const MAX_DEPTH = 500;

/**
 * Returns a value that can be stored in a job of its own, without changing the meaning of the event. JSON allows 1e400,
 * which is parsed as Infinity. JSON.stringify would write Infinity as null, which is valid in some fields. So Infinity
 * is replaced by text inside an array, which is valid in no field. Values that are nested too deep are replaced in the
 * same way; no field of the contract is nested so deep.
 */
export function toListable(value: unknown, depth = 0): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return [String(value)];
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return [`nested deeper than ${MAX_DEPTH}`];
  if (Array.isArray(value)) return value.map((item) => toListable(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toListable(item, depth + 1)]));
}
