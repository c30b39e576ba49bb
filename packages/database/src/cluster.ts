import pg from 'pg';
import { appRoles } from './logins.js';
import {
  addressAt,
  isCluster,
  type NodeAddress,
  settleRightsAt,
  spread,
  withClient,
} from './spread-over-nodes.js';

export interface ClusterNode extends NodeAddress {
  readonly isCoordinator: boolean;
  readonly companies: number;
  /** Size of the node's database; null if the node cannot be reached. */
  readonly bytes: number | null;
}

/** Thrown if the cluster could not be created or changed. The message names the reason and the remedy. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

/**
 * Settings of the database on each node. The first: a transaction passes the company of its session on to the node that
 * it reads from. The second: row policies on that node may look up the company in a nested statement. The third:
 * functions may be created in any order.
 */
const NODE_SETTINGS = {
  'citus.propagate_set_commands': 'local',
  'citus.allow_nested_distributed_execution': 'on',
  check_function_bodies: 'off',
};

export interface ClusterOptions {
  /** Address of the database on the coordinator, with the log-in of the owner. */
  readonly url: string;
  /** Called before each step with a description of the step. */
  readonly onStep?: (step: string) => void;
}

/**
 * Turns the database of `url` into a cluster. The server of that database becomes the coordinator, and `nodes` hold the
 * companies. Creates the database on nodes that lack it. The nodes reach the coordinator at the address `coordinator`.
 * The tables are distributed in one transaction, and workers wait until it ends. The function is safe to repeat after a
 * failure, and can be called again with more nodes. Throws a ClusterError, before anything is changed, if a server cannot
 * be reached or lacks what it needs.
 */
export async function initCluster({
  url,
  nodes,
  coordinator,
  onStep,
}: ClusterOptions & {
  readonly nodes: readonly NodeAddress[];
  readonly coordinator: NodeAddress;
}): Promise<void> {
  onStep?.('checking the servers');
  await assertFit(url, nodes);
  for (const node of nodes) await prepareNode(url, node, onStep);
  await withClient(url, async (client) => {
    await client.query('CREATE EXTENSION IF NOT EXISTS citus');
    await applySettings(client, coordinator);
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const node of nodes) await add(client, node, onStep);
    await assertConnected(client);
    onStep?.('spreading the tables');
    await spread(client, url);
  });
}

/** Adds a node to the cluster. The node stays empty until the cluster is rebalanced. */
export async function addNode({ url, onStep }: ClusterOptions, node: NodeAddress): Promise<void> {
  await withClient(url, assertIsCluster);
  onStep?.('checking the servers');
  await assertFit(url, [node]);
  await prepareNode(url, node, onStep);
  await withClient(url, async (client) => {
    await add(client, node, onStep);
    await assertConnected(client);
    await settleRightsAt(client, url, node);
  });
}

/**
 * Moves shards until the nodes hold about equal amounts of data. Reads and writes continue; a company waits only
 * briefly at the end of its own move. Resolves when all shards have been moved.
 */
export async function rebalanceCluster({ url }: ClusterOptions): Promise<void> {
  await withClient(url, async (client) => {
    await assertIsCluster(client);
    // An interrupted rebalancing leaves subscriptions and roles behind, which would make this rebalancing fail.
    await client.query('CALL citus_cleanup_orphaned_resources()');
    await client.query(`SELECT citus_add_rebalance_strategy('takt', 'takt.shard_cost', 'citus_node_capacity_1',
        'citus_shard_allowed_on_node_true', 0.1, 0.01)
      WHERE NOT EXISTS (SELECT FROM pg_dist_rebalance_strategy WHERE name = 'takt')`);
    await client.query("SELECT rebalance_table_shards(rebalance_strategy => 'takt')");
  });
}

/**
 * Moves a company to a node, together with the companies of its shard. Readers and writers continue; they wait briefly at
 * the end of the move. Returns the codes of the companies that moved; none if they are on the node already. Throws a
 * ClusterError for an unknown company or node.
 */
export async function moveCompany(
  { url }: ClusterOptions,
  code: string,
  node: NodeAddress,
): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    await assertIsCluster(client);
    const { rows: nodes } = await client.query(
      'SELECT FROM pg_dist_node WHERE nodename = $1 AND nodeport = $2 AND shouldhaveshards',
      [node.host, node.port],
    );
    if (nodes.length === 0) {
      throw new ClusterError(
        `${node.host}:${node.port} is no node for companies: takt cluster list shows them`,
      );
    }
    const { rows } = await client.query<{
      shard: string;
      host: string;
      port: number;
      codes: readonly string[];
    }>(
      `SELECT shardid AS shard, nodename AS host, nodeport AS port, (
         SELECT array_agg(code ORDER BY code) FROM takt.companies
         WHERE get_shard_id_for_distribution_column('takt.products', company_id) = shardid) AS codes
       FROM pg_dist_shard_placement
       WHERE shardid = (SELECT get_shard_id_for_distribution_column('takt.products', company_id)
         FROM takt.companies WHERE code = $1)`,
      [code],
    );
    const [placed] = rows;
    if (placed === undefined) {
      throw new ClusterError(`no company has the code ${code}: takt company list shows them`);
    }
    if (placed.host === node.host && placed.port === node.port) return [];
    await client.query('CALL citus_cleanup_orphaned_resources()');
    // A new node gets them only when something moves there.
    await client.query('SELECT replicate_reference_tables()');
    await client.query('SELECT citus_move_shard_placement($1, $2, $3, $4, $5)', [
      placed.shard,
      placed.host,
      placed.port,
      node.host,
      node.port,
    ]);
    return placed.codes;
  });
}

/**
 * Returns the nodes sorted by address, with the coordinator first; the list is empty on a single server. Asks each node
 * for its size, which also shows if a node cannot be reached.
 */
export async function describeCluster(connection: pg.Pool | pg.ClientBase): Promise<readonly ClusterNode[]> {
  if (!(await isCluster(connection))) return [];
  const { rows } = await connection.query<
    ClusterNode & { readonly companies: string; readonly bytes: string | null }
  >(`
    SELECT nodename AS host, nodeport AS port, groupid = 0 AS "isCoordinator",
      (SELECT count(*) FROM takt.companies
       JOIN pg_dist_shard ON worker_hash(company_id) BETWEEN shardminvalue::integer AND shardmaxvalue::integer
       JOIN pg_dist_placement USING (shardid)
       WHERE logicalrelid = 'takt.products'::regclass AND pg_dist_placement.groupid = pg_dist_node.groupid) AS companies,
      CASE WHEN groupid = 0 THEN pg_database_size(current_database()) WHEN success THEN result::bigint END AS bytes
    FROM pg_dist_node
    LEFT JOIN run_command_on_workers('SELECT pg_database_size(current_database())') USING (nodename, nodeport)
    ORDER BY groupid <> 0, nodename, nodeport`);
  return rows.map((row) => ({
    ...row,
    companies: Number(row.companies),
    bytes: row.bytes === null ? null : Number(row.bytes),
  }));
}

/** Returns the addresses of the database on all nodes but the coordinator; none on a single server. */
export async function listNodeUrls(connection: pg.Pool, url: string): Promise<readonly string[]> {
  if (!(await isCluster(connection))) return [];
  const { rows } = await connection.query<NodeAddress>(
    'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0 ORDER BY 1, 2',
  );
  return rows.map((node) => addressAt(url, node));
}

const IS_SUPERUSER = '(SELECT rolsuper FROM pg_roles WHERE rolname = current_user)';
/** The needs of a server, as SQL conditions. Only a superuser may read all of the settings. */
const NEEDS = {
  'the owner in DATABASE_URL to be a superuser (ALTER ROLE ... SUPERUSER)': IS_SUPERUSER,
  'PostgreSQL 18': "current_setting('server_version_num')::integer >= 180000",
  'citus in shared_preload_libraries (install Citus 14 first)':
    "current_setting('shared_preload_libraries') ~ '\\mcitus\\M'",
  'wal_level = logical': "current_setting('wal_level') = 'logical'",
  'max_prepared_transactions above 0, such as 200':
    "current_setting('max_prepared_transactions')::integer > 0",
};

/**
 * Checks that the owner can connect to every server, and that each has what it needs, before anything is changed. Throws a
 * ClusterError that names all that is missing.
 */
async function assertFit(url: string, nodes: readonly NodeAddress[]): Promise<void> {
  const columns = Object.values(NEEDS).map(
    (condition, index) => `CASE WHEN ${index} = 0 OR ${IS_SUPERUSER} THEN ${condition} END AS n${index}`,
  );
  const problems: string[] = [];
  for (const address of [url, ...nodes.map((node) => addressAt(url, node, 'postgres'))]) {
    const { host } = new URL(address);
    const { rows } = await withClient(address, (client) =>
      client.query<Record<string, boolean>>(`SELECT ${columns.join(', ')}`),
    ).catch((cause: Error) => {
      throw new ClusterError(`${host} does not let the owner of DATABASE_URL in: ${cause.message}`, {
        cause,
      });
    });
    const missing = Object.keys(NEEDS).filter((_need, index) => rows[0]?.[`n${index}`] === false);
    problems.push(...missing.map((need) => `${host} needs ${need}`));
  }
  if (problems.length > 0) throw new ClusterError(`${problems.join('; ')}; nothing was changed`);
}

async function add(client: pg.Client, { host, port }: NodeAddress, onStep?: (step: string) => void) {
  onStep?.(`adding ${host}:${port}`);
  await grantLoginsAsSuperuser(client);
  await client.query('SELECT citus_add_node($1, $2)', [host, port]).catch((cause: Error) => {
    throw new ClusterError(`${host}:${port} cannot be added: ${cause.message}. ${LET_IN}`, { cause });
  });
}

/**
 * Grants the roles of log-ins anew, if they were granted while the owner was no superuser. Citus repeats each grant on a node
 * in the name of its grantor, who may lack the right to grant there. PostgreSQL records grants of a superuser as those of the
 * first superuser, who has it everywhere.
 */
async function grantLoginsAsSuperuser(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ revoke: string; grant: string }>(
    `SELECT format('REVOKE %s FROM %s GRANTED BY %s', roleid::regrole, member::regrole, grantor::regrole) AS revoke,
       format('GRANT %s TO %s WITH INHERIT %s, SET %s', roleid::regrole, member::regrole, inherit_option::text, set_option::text) AS grant
     FROM pg_auth_members WHERE roleid::regrole::text = ANY ($1) AND NOT admin_option
       AND grantor <> (SELECT min(oid) FROM pg_roles WHERE rolsuper)`,
    [Object.values(appRoles)],
  );
  for (const { revoke, grant } of rows) await client.query(`BEGIN; ${revoke}; ${grant}; COMMIT`);
}

const LET_IN =
  'Each server must be able to connect to each other one as the owner: see pg_hba.conf, and .pgpass of the user that ' +
  'PostgreSQL runs as';

/** Checks that every server can connect to every other one. */
async function assertConnected(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `SELECT DISTINCT from_nodename || ':' || from_nodeport AS from, to_nodename || ':' || to_nodeport AS to
     FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE`,
  );
  if (rows.length === 0) return;
  const pairs = rows.map(({ from, to }) => `${from} cannot connect to ${to}`);
  throw new ClusterError(`${pairs.join('; ')}. ${LET_IN}; then repeat the command`);
}

async function prepareNode(url: string, node: NodeAddress, onStep?: (step: string) => void): Promise<void> {
  onStep?.(`preparing ${node.host}:${node.port}`);
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const create = async (client: pg.Client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  };
  await withClient(addressAt(url, node, 'postgres'), create);
  await withClient(addressAt(url, node), async (client) => {
    await client.query('CREATE EXTENSION IF NOT EXISTS citus');
    await applySettings(client, node);
  });
}

/** @param address the server's own address: a server connects to itself for moves, by default as localhost */
async function applySettings(client: pg.ClientBase, address: NodeAddress): Promise<void> {
  const { rows } = await client.query<{ database: string }>('SELECT current_database() AS database');
  const database = pg.escapeIdentifier(rows[0]?.database ?? '');
  // The settings are set on each node separately, because nodes that are added later would not receive propagated
  // settings.
  await client.query('SET citus.enable_ddl_propagation = off');
  for (const [name, value] of Object.entries({ ...NODE_SETTINGS, 'citus.local_hostname': address.host })) {
    await client.query(`ALTER DATABASE ${database} SET ${name} = ${pg.escapeLiteral(value)}`);
  }
  await client.query('RESET citus.enable_ddl_propagation');
}

async function assertIsCluster(client: pg.ClientBase): Promise<void> {
  if (await isCluster(client)) return;
  throw new ClusterError('the database is no cluster: run takt cluster init --workers HOST,HOST');
}
