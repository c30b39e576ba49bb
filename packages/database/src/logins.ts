import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readIfPresent, readOrCreateSecret } from '@takt/embedded-postgres/files';
import pg from 'pg';
import type { AppRole } from './open-database.js';
import { settingsOf } from './session-settings.js';

/** The apps that connect to the database. Each app has a log-in that holds the role of the app and nothing else. */
export const appRoles = {
  api: 'takt_api',
  worker: 'takt_worker',
  intake: 'takt_intake',
  dashboard: 'takt_dashboard',
} as const satisfies Readonly<Record<string, AppRole>>;
export type AppName = keyof typeof appRoles;
export const appNames: readonly AppName[] = ['api', 'worker', 'intake', 'dashboard'];

/** A PostgreSQL role that can log in, with its password in clear text. */
export interface Login {
  readonly name: string;
  readonly password: string;
}

const PASSWORD_BYTES = 32;
const SUFFIX_BYTES = 4;

/** Invents a log-in with a random password of 256 bits. Nothing is created on the server. */
export function inventLogin(app: AppName, name?: string): Login {
  return {
    name: name ?? `${appRoles[app]}_${randomBytes(SUFFIX_BYTES).toString('hex')}`,
    password: randomBytes(PASSWORD_BYTES).toString('base64url'),
  };
}

/** Thrown if a log-in could not be created or dropped. The message names the reason and the remedy. */
export class LoginError extends Error {
  override readonly name = 'LoginError';
}

/** SQL for the lock that serialises changes, because PostgreSQL refuses two concurrent changes of a role. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('takt logins'))";

/**
 * Creates the log-in of an app, or changes its password; safe to repeat. The password is sent in its stored form, so
 * that no statement log can show it. `url` is the address for the owner, who must be allowed to create roles. Throws a
 * LoginError if the owner is not allowed to, or if the name belongs to something other than a log-in of this app.
 */
export async function makeLogin(url: string, app: AppName, { name, password }: Login): Promise<void> {
  const verifier = await scramVerifierOf(password);
  await withOwner(url, async (client) => {
    const role = appRoles[app];
    const { rows } = await client.query<{ roles: readonly string[]; isLogin: boolean }>(MEMBERSHIPS, [name]);
    const [known] = rows;
    if (known !== undefined && !(known.isLogin && known.roles.join() === role)) {
      throw new LoginError(`the role ${name} exists and is no log-in for the ${app}: choose another name`);
    }
    const [quotedName, quotedVerifier] = [pg.escapeIdentifier(name), pg.escapeLiteral(verifier)];
    if (known === undefined) await client.query(`CREATE ROLE ${quotedName} ${NO_MORE}`);
    await client.query(`ALTER ROLE ${quotedName} LOGIN PASSWORD ${quotedVerifier}`);
    // A log-in can change its own settings and password, so earlier settings are reset.
    await client.query(`ALTER ROLE ${quotedName} RESET ALL`);
    for (const [setting, value] of Object.entries(settingsOf(app))) {
      // The elements of a list must be quoted one by one.
      const values = value.split(',').map((one) => pg.escapeLiteral(one));
      await client.query(`ALTER ROLE ${quotedName} SET ${setting} = ${values.join(', ')}`);
    }
    await client.query(`GRANT ${role} TO ${quotedName} WITH INHERIT TRUE, SET FALSE`);
  }).catch((error: unknown) => {
    throw explain(error, `the log-in ${name} cannot be created`);
  });
}

const NO_MORE = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

const MEMBERSHIPS = `
  SELECT rolcanlogin AS "isLogin",
    coalesce(array_agg(roleid::regrole::text) FILTER (WHERE roleid IS NOT NULL), '{}') AS roles
  FROM pg_roles role LEFT JOIN pg_auth_members ON member = role.oid
  WHERE rolname = $1 GROUP BY rolcanlogin`;

export interface LoginSummary {
  readonly name: string;
  readonly app: AppName;
  /** Number of sessions that the log-in currently has in this database. */
  readonly connections: number;
}

/** Lists the log-ins of the apps on the server, sorted by app and name. */
export async function listLogins(connection: pg.Pool | pg.ClientBase): Promise<readonly LoginSummary[]> {
  const { rows } = await connection.query<{ name: string; role: string; connections: number }>(
    `SELECT login.rolname AS name, app.rolname AS role,
       (SELECT count(*)::integer FROM pg_stat_activity
        WHERE usesysid = login.oid AND datname = current_database()) AS connections
     FROM pg_roles login JOIN pg_auth_members ON member = login.oid JOIN pg_roles app ON app.oid = roleid
     WHERE login.rolcanlogin AND inherit_option AND NOT (set_option OR admin_option) AND app.rolname = ANY ($1) ORDER BY app.rolname, login.rolname`,
    [Object.values(appRoles)],
  );
  return rows.flatMap(({ name, role, connections }) =>
    appNames.filter((app) => appRoles[app] === role).map((app) => ({ name, app, connections })),
  );
}

/** Drops a log-in and ends its sessions. Throws a LoginError if the log-in does not exist. */
export async function dropLogin(url: string, name: string): Promise<void> {
  await withOwner(url, async (client) => {
    const known = await listLogins(client);
    if (!known.some((login) => login.name === name)) {
      throw new LoginError(`there is no log-in ${name}: takt login list shows the existing ones`);
    }
    const quoted = pg.escapeIdentifier(name);
    await client.query(`ALTER ROLE ${quoted} NOLOGIN`);
    // An owner who is not a superuser can end the sessions of a role only as a member of that role.
    await client.query(`GRANT ${quoted} TO CURRENT_USER WITH INHERIT TRUE`);
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [name]);
    await client.query(`DROP ROLE ${quoted}`);
  }).catch((error: unknown) => {
    throw explain(error, `the log-in ${name} cannot be dropped`);
  });
}

export function addressOf(ownerUrl: string, { name, password }: Login): string {
  const url = new URL(ownerUrl);
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  url.username = encodeURIComponent(name);
  url.password = password;
  if (url.username !== '') return url.href;
  // A URL for a socket has no host and therefore cannot have a user before the host. So the user is a parameter.
  url.searchParams.set('user', name);
  url.searchParams.set('password', password);
  return url.href;
}

const CONNECT_DEADLINE_MS = 20_000;

async function withOwner(url: string, task: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'takt logins',
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    query_timeout: CONNECT_DEADLINE_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(LOCK);
    await task(client);
    await client.query('COMMIT');
  } finally {
    // This also ends an open transaction.
    await client.end();
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';
const UNDEFINED_OBJECT = '42704';

function explain(error: unknown, what: string): unknown {
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  const cause = { cause: error };
  if (code === INSUFFICIENT_PRIVILEGE) {
    return new LoginError(
      `${what}: use a database URL whose role may create roles and grant those of Takt; or let the owner of such a role ` +
        'run takt login create, and set DATABASE_URL of the app to the printed URL',
      cause,
    );
  }
  if (code === UNDEFINED_OBJECT) return new LoginError(`${what}: run takt migrate first`, cause);
  return error;
}

/**
 * Iterations of the hash function, as by PostgreSQL's default. More are not needed, because a password of 256 bits
 * cannot be guessed.
 */
const SCRAM_ITERATIONS = 4_096;
const SCRAM_SALT_BYTES = 16;

/**
 * Returns the form in which PostgreSQL stores a password for SCRAM-SHA-256 (RFC 5802, 5803). The password must be
 * printable ASCII.
 */
async function scramVerifierOf(password: string): Promise<string> {
  const salt = randomBytes(SCRAM_SALT_BYTES);
  const salted = await promisify(pbkdf2)(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const keyed = (label: string) => createHmac('sha256', salted).update(label).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest();
  const parts = [
    `${SCRAM_ITERATIONS}:${base64(salt)}`,
    `${base64(storedKey)}:${base64(keyed('Server Key'))}`,
  ];
  return ['SCRAM-SHA-256', ...parts].join('$');
}

const base64 = (bytes: Buffer) => bytes.toString('base64');

export type AppUrls = Readonly<Record<AppName, string>>;

/**
 * Creates the log-ins of all apps in the migrated database of `ownerUrl`. The passwords are read from `logins` in
 * `home`, where each app has a file; missing passwords are made and stored there. Safe to repeat. Throws a LoginError
 * if the owner may not create roles.
 */
export async function keepLogins(home: string, ownerUrl: string): Promise<AppUrls> {
  const urls: (readonly [AppName, string])[] = [];
  await mkdir(join(home, FOLDER), { recursive: true, mode: 0o700 });
  for (const app of appNames) {
    const invent = () => {
      const { name, password } = inventLogin(app);
      return `${name}:${password}\n`;
    };
    const path = pathOf(home, app);
    const login = parse(await readOrCreateSecret(path, invent), path);
    await makeLogin(ownerUrl, app, login);
    urls.push([app, addressOf(ownerUrl, login)]);
  }
  return Object.fromEntries(urls) as AppUrls;
}

/**
 * Returns the address of a database for the log-in of an app whose password is stored in `home`. Throws a LoginError if
 * no password is stored.
 */
export async function keptLoginUrl(home: string, app: AppName, ownerUrl: string): Promise<string> {
  const path = pathOf(home, app);
  const text = await readIfPresent(path);
  if (text !== undefined) return addressOf(ownerUrl, parse(text, path));
  throw new LoginError(
    `there is no log-in for the ${app} in ${path} yet: run npx takt migrate, or npx takt start`,
  );
}

/**
 * Creates a log-in for each app whose password is in a file of `folder`, which is the way in which containers get
 * secrets. The log-in takt_api_login gets the password in the file `api`, and so on. To change a password, call the
 * function again. Returns the names of the log-ins. Throws a LoginError if a password is missing or easy to guess, or
 * if the owner may not create roles.
 */
export async function makeGivenLogins(folder: string, ownerUrl: string): Promise<readonly string[]> {
  const given: (readonly [AppName, Login])[] = [];
  for (const app of appNames) {
    const path = join(folder, app);
    const password = (await readIfPresent(path))?.replace(/\r?\n$/, '');
    if (password === undefined) continue;
    if (!UNGUESSABLE.test(password)) {
      throw new LoginError(
        `${path} must hold a password of 24 or more letters, digits or signs: openssl rand -hex 32`,
      );
    }
    given.push([app, { name: `${appRoles[app]}_login`, password }]);
  }
  if (given.length === 0) {
    throw new LoginError(`${folder} holds no password: put each into a file named ${appNames.join(', ')}`);
  }
  for (const [app, login] of given) await makeLogin(ownerUrl, app, login);
  return given.map(([, { name }]) => name);
}

/** Matches 24 to 200 characters of printable ASCII, which SCRAM uses unchanged. */
const UNGUESSABLE = /^[!-~]{24,200}$/;

const FOLDER = 'logins';

function pathOf(home: string, app: AppName): string {
  return join(home, FOLDER, app);
}

function parse(text: string, path: string): Login {
  const [, name, password] = /^([a-z0-9_]+):([\w-]+)\n$/.exec(text) ?? [];
  if (name !== undefined && password !== undefined) return { name, password };
  throw new LoginError(`${path} holds no log-in: delete it and run npx takt migrate, or npx takt start`);
}
