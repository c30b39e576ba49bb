/** The least number that a double cannot hold has 309 digits, and PostgreSQL writes them all. */
const TOO_LARGE = /[0-9]{309}/;

/**
 * Reads a jsonb value. A number such as 1e400, which JSON.parse gives as Infinity and BullMQ would write on as null,
 * becomes its name as the only item of an array: null is valid in some fields of an event, an array in none.
 */
export function parseJsonb(text: string): unknown {
  return TOO_LARGE.test(text) ? JSON.parse(text, nameInfinity) : JSON.parse(text);
}

function nameInfinity(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? [String(value)] : value;
}
