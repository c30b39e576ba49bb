import { appendFileSync } from 'node:fs';
import pg from 'pg';

/**
 * The API imports this file before its own code. The file then writes every statement as a line of JSON to the file
 * RECORDED_STATEMENTS.
 */

const file = process.env['RECORDED_STATEMENTS'] ?? '';
const prototype: { query: (...given: unknown[]) => unknown } = pg.Client.prototype;
const { query } = prototype;
prototype.query = function (this: unknown, ...given) {
  const { name, text, values } = Object(given[0]);
  if (values !== undefined) appendFileSync(file, `${JSON.stringify({ name, text, values })}\n`);
  return Reflect.apply(query, this, given);
};
