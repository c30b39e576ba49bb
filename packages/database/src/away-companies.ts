import pg from 'pg';
import { isCluster } from './spread-over-nodes.js';

/** A company whose node in a cluster is away, so that its figures cannot be read. */
export interface AwayCompany {
  readonly code: string;
  /** Address of the node, as HOST:PORT. */
  readonly node: string;
}

/** Returns true for the error of a statement that needed a node of a cluster which is away. */
export function isOfAwayNode(error: unknown): boolean {
  // The class of connection exceptions. If the coordinator itself is away, the error is no error of a server.
  return error instanceof pg.DatabaseError && error.code?.startsWith('08') === true;
}

/**
 * Asks a question about all companies. In its text, $1 stands for their ids, and limits each table with a company, also a
 * joined one: Citus asks the nodes of these companies only. If a node of a cluster is away, asks about the companies of the
 * other nodes only.
 */
export async function askAboutCompanies<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
): Promise<{ readonly rows: readonly Row[]; readonly away: readonly AwayCompany[] }> {
  const companies = await pool.query<{ id: number }>('SELECT company_id AS id FROM takt.companies');
  const ids = companies.rows.map(({ id }) => id);
  try {
    return { rows: (await pool.query<Row>(text, [ids])).rows, away: [] };
  } catch (error) {
    if (!isOfAwayNode(error)) throw error;
    const away = await findAwayCompanies(pool).catch(() => {
      throw error;
    });
    const left = ids.filter((id) => !away.some(({ companyId }) => companyId === id));
    return { rows: (await pool.query<Row>(text, [left])).rows, away };
  }
}

/** Returns the companies whose nodes are away, sorted by code. There are none on a single server. */
export async function findAwayCompanies(
  pool: pg.Pool,
): Promise<readonly (AwayCompany & { readonly companyId: number })[]> {
  if (!(await isCluster(pool))) return [];
  const { rows } = await pool.query<AwayCompany & { readonly companyId: number }>(`
    SELECT company_id AS "companyId", code, nodename || ':' || nodeport AS node
    FROM run_command_on_workers('SELECT 1') AS answer
    JOIN pg_dist_node USING (nodename, nodeport)
    JOIN pg_dist_placement USING (groupid)
    JOIN pg_dist_shard USING (shardid)
    JOIN takt.companies ON worker_hash(company_id) BETWEEN shardminvalue::integer AND shardmaxvalue::integer
    WHERE logicalrelid = 'takt.products'::regclass AND NOT success ORDER BY code`);
  return rows;
}

/** Says in a few words whose figures are missing, such as "without TEM-NO, whose node db-2:5432 is away". */
export function describeAway(away: readonly AwayCompany[]): string {
  const nodes = [...new Set(away.map(({ node }) => node))];
  const codes = away.map(({ code }) => code).join(', ');
  return `without ${codes}, whose ${nodes.length === 1 ? `node ${nodes[0]} is` : `nodes ${nodes.join(' and ')} are`} away`;
}
