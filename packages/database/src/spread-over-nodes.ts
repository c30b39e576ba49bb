import pg from 'pg';
import { inTransaction } from './apply-functions.js';
import { appRoles } from './logins.js';
import { withdrawPublicRights } from './withdraw-public-rights.js';

/** The address of a cluster's node for the other nodes. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** The tables distributed by company; referenced tables come first. */
export const SPREAD_TABLES = [
  ...['products', 'product_structure_versions', 'structure_version_texts', 'work_order_operations'],
  ...['monthly_figures', 'pruned_figures', 'pruned_operations', 'prunings', 'month_zones'],
  ...['application_versions', 'saved_views', 'list_sizes', 'company_changes'],
];

/** Reference tables, complete on each node, because they are joined with the distributed tables and seldom change. */
const TABLES_OF_ALL_NODES = ['companies', 'domain_values', 'error_messages', 'roles'];

/** Local tables of the coordinator that an API reads through any node. */
const TABLES_SEEN_BY_NODES = ['salt_secret', 'schema_migrations', 'schema_functions'];

/** Citus accepts these foreign keys once both tables are distributed. */
const KEYS_BETWEEN_SPREAD_TABLES = `
  SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint
  WHERE contype = 'f' AND conrelid::regclass::text = ANY ($1) AND confrelid::regclass::text = ANY ($1)`;

/** Functions that run on the node of the company in their first argument. */
const FUNCTIONS_ON_NODES = [
  ...['apply_work_order_operation_events(integer, integer[], json)'],
  ...['apply_product_structure_version_changes(integer, integer[], json)'],
  ...['apply_application_version_changes(integer, integer[], json)'],
  ...['prune_operations(integer, date, bigint)', 'rebuild_production_times(integer, bigint[])'],
  ...['begin_time_zone(integer, text)', 'rebuild_months(integer, bigint)'],
];

/** True if the database is a cluster; false before the migrations. */
export async function isCluster(connection: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await connection.query<{ known: boolean }>(
    `SELECT to_regprocedure('takt.is_cluster()') IS NOT NULL AS known`,
  );
  if (rows[0]?.known !== true) return false;
  const result = await connection.query<{ is: boolean }>('SELECT takt.is_cluster() AS is');
  return result.rows[0]?.is === true;
}

/** Distributes new tables after migrations, if the database is a cluster. */
export async function keepCluster(client: pg.ClientBase, url: string): Promise<void> {
  if (await isCluster(client)) await spread(client, url);
}

/** Copies types and functions to the nodes and distributes tables, unless that is done. */
export async function spread(client: pg.ClientBase, url: string): Promise<void> {
  await client.query('SET client_min_messages = warning');
  const { rows: grants } = await client.query<{ statement: string }>(
    `SELECT format('GRANT %s ON %s TO %I', privilege_type, pg_class.oid::regclass, grantee::regrole) AS statement
     FROM pg_class CROSS JOIN aclexplode(relacl)
     WHERE relkind = 'v' AND relnamespace = 'takt'::regnamespace AND grantee NOT IN (0, relowner)`,
  );
  const missing = await findUnspread(client);
  for (const table of TABLES_OF_ALL_NODES.filter((name) => missing.includes(name))) {
    await client.query('SELECT create_reference_table($1)', [`takt.${table}`]);
  }
  for (const table of TABLES_SEEN_BY_NODES.filter((name) => missing.includes(name))) {
    await client.query('SELECT citus_add_local_table_to_metadata($1)', [`takt.${table}`]);
  }
  await copyTypesAndLogins(client);
  await client.query(`SELECT create_distributed_function(oid::regprocedure) FROM pg_proc
    WHERE pronamespace = 'takt'::regnamespace AND prorettype <> 'trigger'::regtype AND ${isMissing('pg_proc')}`);
  await spreadTables(client, missing);
  for (const signature of FUNCTIONS_ON_NODES) {
    // Citus makes a plan per company, which a forced generic plan prevents.
    await client.query(`ALTER FUNCTION takt.${signature} RESET plan_cache_mode`);
    await client.query("SELECT create_distributed_function($1, '$1', colocate_with => 'takt.products')", [
      `takt.${signature}`,
    ]);
  }
  // Citus recreates the views of a table without their rights.
  for (const { statement } of grants) await client.query(statement);
  await client.query('RESET client_min_messages');
  const { rows: nodes } = await client.query<NodeAddress>(
    'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0',
  );
  for (const node of nodes) await withdrawRightsAt(url, node);
}

/** Revokes public rights at a node, where everybody may call copied functions. */
export async function withdrawRightsAt(url: string, node: NodeAddress): Promise<void> {
  await withClient(addressAt(url, node), async (client) => {
    // Changes rights at this node only; common rights are changed at the coordinator.
    await client.query('SET citus.enable_ddl_propagation = off');
    await withdrawPublicRights(client);
  });
}

/** Distributes the tables in one transaction, so that no worker sees only some of them distributed. */
async function spreadTables(client: pg.ClientBase, missing: readonly string[]): Promise<void> {
  const tables = SPREAD_TABLES.filter((table) => missing.includes(table)).map((table) => `takt.${table}`);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    KEYS_BETWEEN_SPREAD_TABLES,
    [tables],
  );
  await inTransaction(client, async () => {
    // One connection per node, so that each step sees the effects of the previous one.
    await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    for (const table of tables) {
      const beside = table === tables[0] && missing.includes('products') ? 'none' : 'takt.products';
      await client.query("SELECT create_distributed_table($1, 'company_id', colocate_with => $2)", [
        table,
        beside,
      ]);
    }
    for (const { table, name, definition } of keys) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
  });
  for (const table of tables) {
    await client.query('SELECT truncate_local_data_after_distributing_table($1)', [table]);
  }
}

/** A condition on a catalog's rows: Citus has not copied the object to the nodes. */
const isMissing = (catalog: string) =>
  `NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = '${catalog === 'pg_roles' ? 'pg_authid' : catalog}'::regclass AND objid = ${catalog}.oid)`;

/**
 * Copies types and log-ins. With a function, Citus copies its dependencies: types of its parameters, but not of its
 * variables, and roles that may call it. So a temporary function has all these types as parameters, and all log-ins may
 * call it.
 */
async function copyTypesAndLogins(client: pg.ClientBase): Promise<void> {
  const { rows: types } = await client.query<{ name: string }>(
    `SELECT oid::regtype::text AS name FROM pg_type
     WHERE typnamespace = 'takt'::regnamespace AND typtype = 'c' AND ${isMissing('pg_type')}
       AND (SELECT relkind FROM pg_class WHERE pg_class.oid = typrelid) = 'c'`,
  );
  const { rows: logins } = await client.query<{ name: string }>(
    `SELECT quote_ident(rolname) AS name FROM pg_roles WHERE rolcanlogin AND ${isMissing('pg_roles')}
       AND EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid AND roleid::regrole::text = ANY ($1))`,
    [Object.values(appRoles)],
  );
  if (types.length + logins.length === 0) return;
  // An interrupted run may have left the temporary function behind.
  await client.query(`
    DROP FUNCTION IF EXISTS takt.takes_along;
    CREATE FUNCTION takt.takes_along(${types.map(({ name }) => name).join(', ')}) RETURNS void LANGUAGE sql AS '';
    REVOKE EXECUTE ON FUNCTION takt.takes_along FROM PUBLIC`);
  if (logins.length > 0) {
    await client.query(
      `GRANT EXECUTE ON FUNCTION takt.takes_along TO ${logins.map(({ name }) => name).join(', ')}`,
    );
  }
  await client.query("SELECT create_distributed_function('takt.takes_along'::regproc::regprocedure)");
  await client.query('DROP FUNCTION takt.takes_along');
}

async function findUnspread(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (
       SELECT FROM pg_dist_partition
       WHERE logicalrelid = ('takt.' || name)::regclass
         AND (partmethod = 'h' OR repmodel = 't' OR NOT autoconverted AND name = ANY ($2)))`,
    [[...TABLES_OF_ALL_NODES, ...TABLES_SEEN_BY_NODES, ...SPREAD_TABLES], TABLES_SEEN_BY_NODES],
  );
  return rows.map(({ name }) => name);
}

/** The address of a node's database, by default with the coordinator's database name. */
export function addressAt(url: string, { host, port }: NodeAddress, database?: string): string {
  const address = new URL(url);
  address.hostname = host;
  address.port = String(port);
  if (database !== undefined) address.pathname = `/${database}`;
  return address.href;
}

const CONNECT_DEADLINE_MS = 20_000;

/** Runs a task with a new connection. */
export async function withClient<Result>(
  url: string,
  task: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'takt cluster',
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}
