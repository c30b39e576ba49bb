import type pg from 'pg';

/** A call of the function, in the ways in which PostgreSQL prints it: alone, or as a subquery. */
const CALL = String.raw`(takt\.)?session_company\(\)`;
const SUBQUERY = String.raw`\( SELECT (takt\.)?session_company\(\) AS session_company\)`;

/**
 * Rewrites the conditions of the policies that show the API the rows of its session's company. On a single server they
 * call the function in a subquery: PostgreSQL then calls it once for a statement, not once for each table that a row is
 * joined with. A Citus cluster refuses policies with subqueries, so there the conditions call the function directly.
 * A migration cannot decide this, because a server can become a cluster later. Safe to repeat.
 */
export async function settlePolicies(client: pg.ClientBase, kind: 'server' | 'cluster'): Promise<void> {
  const direct = 'takt.session_company()';
  const [from, to] = kind === 'cluster' ? [SUBQUERY, direct] : [CALL, `(SELECT ${direct})`];
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('ALTER POLICY %I ON takt.%I USING (%s)', policyname, tablename, regexp_replace(qual, $1, $2)) AS statement
     FROM pg_policies
     WHERE schemaname = 'takt' AND qual ~ $1 AND (qual ~ $3) = $4 ORDER BY tablename`,
    [from, to, SUBQUERY, kind === 'cluster'],
  );
  for (const { statement } of rows) await client.query(statement);
}
