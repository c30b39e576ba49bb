import type pg from 'pg';

/** SQL condition on a row of pg_proc: true if everybody may call the function. */
const IS_PUBLIC =
  "EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0)";

/**
 * SQL for functions of PostgreSQL that everybody may call and no app needs. They are functions for large objects, which
 * hold data outside of row-level security; for locks, which could block migrations and workers; for ending other
 * sessions; and for running a statement that is given as text. All apps except the API keep the functions for locks,
 * because BullMQ and the moving of rejected events need them.
 */
const BEYOND_NEED = `
  SELECT oid, format('%s(%s)', oid::regproc, pg_get_function_identity_arguments(oid)) AS signature,
    proname ~ 'advisory' AS is_lock
  FROM pg_proc
  WHERE pronamespace = 'pg_catalog'::regnamespace
    AND proname ~ '^(lo_.*|loread|lowrite|pg_.*advisory.*|pg_(cancel|terminate)_backend|.*_to_xml(schema|_and_xmlschema)?|ts_stat|ts_rewrite)$'
    AND ${IS_PUBLIC}
    AND (SELECT count(*) = 3 FROM pg_roles WHERE rolname IN ('takt_worker', 'takt_intake', 'takt_dashboard'))`;

/**
 * Finds the statements that revoke rights which only some roles need: rights to make temporary tables and schemas in
 * the database and tables in schema public, and rights to call functions of Takt and the functions of BEYOND_NEED. The
 * statements run at each migration and are not in a numbered file, because a cloned or restored database does not keep
 * its own rights, and an upgraded server has new functions.
 */
async function findWithdrawals(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(`
    SELECT format('REVOKE %s ON DATABASE %I FROM PUBLIC', string_agg(privilege_type, ', '), datname) AS statement
    FROM pg_database CROSS JOIN aclexplode(coalesce(datacl, acldefault('d', datdba)))
    WHERE datname = current_database() AND grantee = 0 AND privilege_type IN ('CREATE', 'TEMPORARY')
    GROUP BY datname
    UNION ALL
    SELECT 'REVOKE CREATE ON SCHEMA public FROM PUBLIC'
    FROM pg_namespace CROSS JOIN aclexplode(nspacl)
    WHERE nspname = 'public' AND grantee = 0 AND privilege_type = 'CREATE'
    UNION ALL
    SELECT 'REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA takt FROM PUBLIC'
    WHERE EXISTS (SELECT FROM pg_proc WHERE pronamespace = 'takt'::regnamespace AND ${IS_PUBLIC})
    UNION ALL
    SELECT format('GRANT EXECUTE ON FUNCTION %s TO takt_worker, takt_intake, takt_dashboard', string_agg(signature, ', ' ORDER BY signature))
    FROM (${BEYOND_NEED}) AS lock WHERE is_lock HAVING count(*) > 0
    UNION ALL
    -- Where they were withdrawn before the dashboard needed them.
    SELECT format('GRANT EXECUTE ON FUNCTION %s TO takt_dashboard',
      string_agg(format('%s(%s)', oid::regproc, pg_get_function_identity_arguments(oid)), ', '))
    FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^pg_.*advisory'
      AND NOT has_function_privilege(to_regrole('takt_dashboard')::oid, oid, 'EXECUTE')
    HAVING count(*) > 0
    UNION ALL
    SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', string_agg(signature, ', ' ORDER BY signature))
    FROM (${BEYOND_NEED}) AS beyond HAVING count(*) > 0`);
  return rows.map(({ statement }) => statement);
}

/**
 * Revokes the unneeded rights of PUBLIC. Returns the statements that the role of the session may not run, so that a
 * superuser can run them. Until then, apps can still take locks and store large objects, but they cannot see more rows.
 */
export async function withdrawPublicRights(client: pg.ClientBase): Promise<readonly string[]> {
  const withdrawals = await findWithdrawals(client);
  for (const statement of withdrawals) await client.query(statement).catch(ignoreMissingRight);
  return findWithdrawals(client);
}

const INSUFFICIENT_PRIVILEGE = '42501';

function ignoreMissingRight(error: unknown): void {
  const isMissing = error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;
  if (!isMissing) throw error;
}
