import type pg from 'pg';
import { type AppName, appRoles } from './logins.js';

interface LoginCheck {
  /** The problems that were found. Each is a sentence that says how to solve the problem. */
  readonly problems: readonly string[];
  /** True if the log-in may set the role of the app. An owner may do so, but the log-in of an app may not. */
  readonly canTakeRole: boolean;
}

/**
 * Checks that the log-in of a connection holds the role of its app and nothing else. The check needs no rights, because
 * it reads only PostgreSQL's catalogs. The problems name the setting `setting`.
 */
export async function checkLogin(
  connection: pg.Pool | pg.ClientBase,
  app: AppName,
  setting: 'DATABASE_URL' | 'QUEUE_URL' = 'DATABASE_URL',
): Promise<LoginCheck> {
  const { rows } = await connection.query<LoginReasons>(REASONS, [appRoles[app]]);
  const { login = '', ownReasons = [], publicReasons = [], canTakeRole = false } = rows[0] ?? {};
  const problems: string[] = [];
  if (ownReasons.length > 0) {
    problems.push(
      `the log-in ${login} ${listed(ownReasons)}, and the ${app} needs one that holds ${appRoles[app]} and nothing else: ` +
        `set ${setting} of the ${app} to what takt login create ${app} prints ${OR_ALLOW}`,
    );
  }
  if (publicReasons.length > 0) {
    problems.push(
      `the log-in ${login} ${listed(publicReasons)}, as everybody: run takt migrate as the owner of the database, ` +
        `which revokes that ${OR_ALLOW}`,
    );
  }
  return { problems, canTakeRole };
}

const OR_ALLOW = '(TAKT_ALLOW_OWNER=1 lets it pass)';

interface LoginReasons {
  readonly login: string;
  readonly ownReasons: readonly string[];
  /** Rights of PUBLIC. Every log-in has these rights unless the owner of the database has revoked them. */
  readonly publicReasons: readonly string[];
  readonly canTakeRole: boolean;
}

function listed(reasons: readonly string[]): string {
  return [reasons.slice(0, -1).join(', '), ...reasons.slice(-1)].filter((part) => part !== '').join(' and ');
}

/**
 * SQL for the rights that a log-in has beyond its need. BullMQ adds jobs through temporary tables, so only the API may
 * not create temporary tables. pg_shdepend lists the objects that the log-in owns, and the rights that were granted to
 * it by name, in this database and in shared objects. The right to connect is ignored, because each log-in needs it.
 */
const REASONS = `
  WITH login AS (SELECT * FROM pg_roles WHERE rolname = session_user)
  SELECT login.rolname AS login, array_remove(ARRAY[
    CASE WHEN rolsuper THEN 'is a superuser' END,
    CASE WHEN rolcreaterole THEN 'may create roles' END,
    CASE WHEN rolcreatedb THEN 'may create databases' END,
    CASE WHEN rolreplication THEN 'may replicate' END,
    CASE WHEN rolbypassrls THEN 'bypasses row-level security' END,
    CASE WHEN EXISTS (SELECT FROM pg_auth_members WHERE member = login.oid AND roleid::regrole::text = $1
      AND (set_option OR admin_option)) THEN 'may become ' || $1 || ' or pass it on' END,
    CASE WHEN NOT EXISTS (SELECT FROM pg_auth_members WHERE member = login.oid AND roleid::regrole::text = $1
      AND inherit_option) THEN 'does not hold ' || $1 END,
    (SELECT 'holds ' || string_agg(roleid::regrole::text, ', ') FROM pg_auth_members
      WHERE member = login.oid AND roleid::regrole::text <> $1),
    CASE WHEN EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = login.oid
      AND deptype = 'o') THEN 'owns databases or what is in them' END,
    CASE WHEN EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = login.oid
      AND deptype = 'a' AND classid <> 'pg_database'::regclass) THEN 'was granted rights by its name' END
  ], NULL) AS "ownReasons",
  array_remove(ARRAY[
    CASE WHEN NOT rolsuper AND has_database_privilege(current_database(), 'CREATE') THEN 'may create schemas' END,
    CASE WHEN NOT rolsuper AND $1 = 'takt_api' AND has_database_privilege(current_database(), 'TEMPORARY')
      THEN 'may create temporary tables' END,
    CASE WHEN NOT rolsuper AND EXISTS (SELECT FROM pg_namespace WHERE nspname = 'public'
      AND has_schema_privilege(oid, 'CREATE')) THEN 'may create tables in schema public' END
  ], NULL) AS "publicReasons",
  coalesce(pg_has_role(login.oid, (SELECT oid FROM pg_roles WHERE rolname = $1), 'SET'), false) AS "canTakeRole"
  FROM login`;
