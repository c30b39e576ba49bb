import type { Database } from '@takt/database';
import { type Order, orderSql } from './make-orders.js';
import type { Question } from './question.js';

/** Rows of the order that the API reads before it looks for what meets the filter in another way. */
const WALK = 10_000;
const PAGE = 80;

/** How many of the rows with which an order begins meet the filter, up to two pages and one more row. */
export async function countWithinWalk(
  database: Database,
  questions: readonly Question[],
): Promise<ReadonlyMap<Question, number>> {
  const counts = new Map<Question, number>();
  const client = await database.pool.connect();
  try {
    for (const order of new Set(questions.map((question) => question.order))) {
      await client.query(`CREATE TEMP TABLE walk AS ${walkSql(order)}`);
      for (const question of questions.filter((one) => one.order === order)) {
        const { rows } = await client.query<{ count: number }>(
          `SELECT count(*)::integer AS count FROM (
             SELECT FROM walk WHERE ${question.filter?.sql ?? 'true'} LIMIT ${2 * PAGE + 1}) AS found`,
        );
        counts.set(question, rows[0]?.count ?? 0);
      }
      await client.query('DROP TABLE walk');
    }
  } finally {
    client.release();
  }
  return counts;
}

function walkSql(order: Order): string {
  return `
    SELECT listed.*, product.status AS product_status, product.type AS product_type
    FROM (SELECT * FROM takt.product_structure_versions ORDER BY ${orderSql(order)} LIMIT ${WALK}) AS listed
    JOIN takt.products AS product USING (company_id, product_id)`;
}
