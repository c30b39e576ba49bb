import type pg from 'pg';
import { NOT_COVERED, SECTIONS, type Section } from './schema-sections.js';

const HEADING = `\
-- What the migrations add up to, written by npm run schema:dump. To be read and compared, not to be run.`;

/**
 * Everything in schema takt as text, from the catalogs: the same text for the same schema, whatever the server, the
 * owner and the order of the migrations' statements (columns alone keep their order).
 *
 * Throws where the schema holds a kind of object that the dump cannot show, rather than leaving it out.
 */
export async function dumpSchema(pool: pg.Pool): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The catalogs leave a schema out of a name when the search path would find it.
    await client.query("SET LOCAL search_path = ''");
    await assertAllCovered(client);
    const parts = [HEADING];
    for (const section of SECTIONS) parts.push(...(await dumpSection(client, section)));
    return `${parts.join('\n\n')}\n`;
  } finally {
    // Ends the connection, and the transaction and its search path with it.
    client.release(true);
  }
}

async function assertAllCovered(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ description: string }>(NOT_COVERED);
  if (rows.length === 0) return;
  throw new Error(`the schema dump cannot show: ${rows.map((row) => row.description).join(', ')}`);
}

async function dumpSection(client: pg.PoolClient, { title, query }: Section): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(query);
  if (rows.length === 0) return [];
  // Sorted here, by code unit: the server would sort by its own locale.
  const statements = rows.map((row) => row.statement).sort();
  const hasLongOnes = statements.some((statement) => statement.includes('\n'));
  return [`-- ${title}`, statements.join(hasLongOnes ? '\n\n' : '\n')];
}
