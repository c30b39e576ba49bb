import pg from 'pg';
import { inTransaction } from './apply-functions.js';
import { appRoles } from './logins.js';
import { settlePolicies } from './policies.js';
import { withdrawPublicRights } from './withdraw-public-rights.js';

/** The address at which the other nodes of a cluster reach a node. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** The tables whose rows are distributed by company. Tables that are referenced by others come first. */
export const SPREAD_TABLES = [
  'products',
  'product_structure_versions',
  'structure_version_texts',
  'work_order_operations',
  'monthly_figures',
  'pruned_figures',
  'pruned_operations',
  'prunings',
  'month_zones',
  'object_keys',
  'key_counters',
  'imports',
  'import_changes',
  'application_versions',
  'saved_views',
  'list_sizes',
  'company_changes',
];

/**
 * Tables of which every node has a complete copy, because they are joined with the distributed tables and seldom
 * change.
 */
const TABLES_OF_ALL_NODES = ['companies', 'domain_values', 'error_messages', 'roles'];

/** Tables that stay on the coordinator. They are registered with Citus, because an API reads them through any node. */
const TABLES_SEEN_BY_NODES = ['salt_secret', 'schema_migrations', 'schema_functions'];

/**
 * SQL for the foreign keys between distributed tables. Citus accepts these keys only once both tables are distributed.
 */
const KEYS_BETWEEN_SPREAD_TABLES = `
  SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint
  WHERE contype = 'f' AND conrelid::regclass::text = ANY ($1) AND confrelid::regclass::text = ANY ($1)`;

/** Functions whose first argument is a company. They run on the node of that company. */
const FUNCTIONS_ON_NODES = [
  'apply_work_order_operation_events(integer, integer[], json, text[])',
  'apply_work_order_operation_events(integer, integer[], json)',
  'apply_product_structure_version_changes(integer, integer[], json)',
  'apply_application_version_changes(integer, integer[], json)',
  'prune_operations(integer, date, bigint)',
  'rebuild_production_times(integer, bigint[])',
  'begin_time_zone(integer, text)',
  'rebuild_months(integer, bigint)',
];

/** Returns true if the database is a cluster. Before the migrations it returns false. */
export async function isCluster(connection: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await connection.query<{ known: boolean }>(
    `SELECT to_regprocedure('takt.is_cluster()') IS NOT NULL AS known`,
  );
  if (rows[0]?.known !== true) return false;
  const result = await connection.query<{ is: boolean }>('SELECT takt.is_cluster() AS is');
  return result.rows[0]?.is === true;
}

/** After migrations, distributes new tables if the database is a cluster. */
export async function keepCluster(client: pg.ClientBase, url: string): Promise<void> {
  if (await isCluster(client)) await spread(client, url);
}

/** Copies types and functions to the nodes and distributes the tables, as far as this has not been done yet. */
export async function spread(client: pg.ClientBase, url: string): Promise<void> {
  await client.query('SET client_min_messages = warning');
  await settlePolicies(client, 'cluster');
  const { rows: grants } = await client.query<{ statement: string }>(
    `SELECT format('GRANT %s ON %s TO %I', privilege_type, pg_class.oid::regclass, grantee::regrole) AS statement
     FROM pg_class CROSS JOIN aclexplode(relacl)
     WHERE relkind = 'v' AND relnamespace = 'takt'::regnamespace AND grantee NOT IN (0, relowner)`,
  );
  const missing = await findUnspread(client);
  // Citus refuses a trigger on a table that is on every node, and then also to drop one.
  if (missing.includes('roles')) await client.query('DROP TRIGGER IF EXISTS note_role ON takt.roles');
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
    // Citus makes a plan for each company, and a forced generic plan prevents that. So the setting is removed.
    await client.query(`ALTER FUNCTION takt.${signature} RESET plan_cache_mode`);
    await client.query("SELECT create_distributed_function($1, '$1', colocate_with => 'takt.products')", [
      `takt.${signature}`,
    ]);
  }
  // Citus recreates the views of a table without their rights, so the rights are granted again.
  for (const { statement } of grants) await client.query(statement);
  await client.query('RESET client_min_messages');
  const { rows: nodes } = await client.query<NodeAddress>(
    'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0',
  );
  for (const node of nodes) await settleRightsAt(client, url, node);
}

/**
 * Settles the rights on one node. Grants the log-ins their roles, because Citus repeats no grant of a superuser whom the nodes
 * do not know from the coordinator. Revokes rights of PUBLIC, because everybody may call the functions that were copied there.
 */
export async function settleRightsAt(
  coordinator: pg.ClientBase,
  url: string,
  node: NodeAddress,
): Promise<void> {
  const { rows: grants } = await coordinator.query<{ statement: string }>(
    `SELECT format('GRANT %s TO %s WITH INHERIT TRUE, SET FALSE', roleid::regrole, member::regrole) AS statement
     FROM pg_auth_members JOIN pg_roles ON member = pg_roles.oid
     WHERE rolcanlogin AND inherit_option AND NOT (set_option OR admin_option) AND roleid::regrole::text = ANY ($1)`,
    [Object.values(appRoles)],
  );
  await withClient(addressAt(url, node), async (client) => {
    // Rights that all nodes have in common are changed on the coordinator.
    await client.query('SET citus.enable_ddl_propagation = off');
    for (const { statement } of grants) await client.query(statement);
    await withdrawPublicRights(client);
  });
}

/**
 * Number of shards, whatever the servers' setting is. A company is in one of them, and companies of one shard move together.
 * Each shard has all spread tables, also an empty one, so more of them make each plan of a statement dearer.
 */
const SHARDS = 32;

/** Distributes the tables in one transaction, so that no worker sees some tables distributed and others not. */
async function spreadTables(client: pg.ClientBase, missing: readonly string[]): Promise<void> {
  const tables = SPREAD_TABLES.filter((table) => missing.includes(table)).map((table) => `takt.${table}`);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    KEYS_BETWEEN_SPREAD_TABLES,
    [tables],
  );
  await inTransaction(client, async () => {
    // Citus uses one connection for each node, so that each step sees the effects of the previous step.
    await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    await client.query(`SET LOCAL citus.shard_count = ${SHARDS}`);
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

/** SQL condition on a row of a catalog: true if Citus has not copied the object to the nodes yet. */
const isMissing = (catalog: string) =>
  `NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = '${catalog === 'pg_roles' ? 'pg_authid' : catalog}'::regclass AND objid = ${catalog}.oid)`;

/**
 * Copies types and log-ins to the nodes. Together with a function, Citus copies what the function depends on: the types
 * of its parameters (but not those of its variables) and the roles that may call it. So this creates a temporary
 * function that has all these types as parameters and that all log-ins may call.
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
  // An interrupted run may have left its temporary function behind.
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

/** Returns the address of a database on a node. By default the database has the same name as on the coordinator. */
export function addressAt(url: string, { host, port }: NodeAddress, database?: string): string {
  const address = new URL(url);
  address.hostname = host;
  address.port = String(port);
  if (database !== undefined) address.pathname = `/${database}`;
  return address.href;
}

const CONNECT_DEADLINE_MS = 20_000;

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
