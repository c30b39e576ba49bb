import type pg from 'pg';
import type { SqlFile } from './read-migrations.js';

interface AppliedFile {
  readonly name: string;
  readonly checksum: string;
  /** False if a migration has dropped a function or view that the file made. */
  readonly isWhole: boolean;
}

/**
 * Finds the files that are not applied in the database in this version, and the names of recorded files that no longer
 * exist.
 */
export async function findOtherFunctions(
  connection: pg.Pool | pg.ClientBase,
  files: readonly SqlFile[],
): Promise<{ readonly outdated: readonly SqlFile[]; readonly superfluous: readonly string[] }> {
  const { rows } = await connection.query<AppliedFile>(
    `SELECT name, checksum, NOT EXISTS (SELECT FROM unnest(signatures) AS signature
         WHERE CASE WHEN signature ~ '\\(' THEN to_regprocedure(signature) IS NULL ELSE to_regclass(signature) IS NULL END) AS "isWhole"
     FROM takt.schema_functions ORDER BY name`,
  );
  const applied = new Map(rows.map((row) => [row.name, row]));
  const known = new Set(files.map(({ name }) => name));
  return {
    outdated: files.filter(({ name, checksum }) => {
      const file = applied.get(name);
      return file === undefined || file.checksum !== checksum || !file.isWhole;
    }),
    superfluous: rows.map(({ name }) => name).filter((name) => !known.has(name)),
  };
}

const makesView = ({ sql }: SqlFile) => /^CREATE VIEW /m.test(sql);

/**
 * Makes the functions and views of schema takt equal to `files`, in one transaction. For a changed file, everything
 * that the file had made is dropped and the file is applied again, so a function may change its arguments or its
 * result. Returns the names of the new and changed files.
 */
export async function applyFunctions(
  client: pg.Client,
  files: readonly SqlFile[],
): Promise<readonly string[]> {
  const { outdated, superfluous } = await findOtherFunctions(client, files);
  if (outdated.length + superfluous.length === 0) return [];
  // PostgreSQL refuses to drop a function that a view calls, so all views are recreated after the functions.
  const views = files.filter(makesView);
  const functions = outdated.filter((file) => !makesView(file));
  let current = 'what is to be dropped';
  await inTransaction(client, async () => {
    // The bodies are not checked, because a function may call a function that is created later.
    await client.query('SET LOCAL check_function_bodies = off');
    // The catalogs write names without their schema if the schema is in the search path.
    await client.query("SET LOCAL search_path = ''");
    await dropFunctionsOf(client, [...[...views, ...functions].map(({ name }) => name), ...superfluous]);
    for (const file of [...functions, ...views]) {
      current = file.name;
      await applyFile(client, file);
    }
    await noteChangeOfAll(client);
  }).catch((cause: unknown) => {
    throw new Error(`functions failed and were rolled back, at ${current}`, { cause });
  });
  return outdated.map(({ name }) => name);
}

export async function inTransaction(client: pg.ClientBase, task: () => Promise<void>): Promise<void> {
  try {
    await client.query('BEGIN');
    await task();
    await client.query('COMMIT');
  } catch (error) {
    // If the connection is lost, the server rolls back by itself. The error of this statement would hide the cause.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Invalidates cached answers that came from the former tables and functions. A schema whose functions were not created
 * yet has no cached answers.
 */
export async function noteChangeOfAll(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM to_regproc('takt.note_changes') AS known WHERE known IS NOT NULL",
  );
  if (rowCount === 1) await client.query("SELECT takt.note_changes('{0}')");
}

/**
 * Drops functions and views together with their triggers. PostgreSQL refuses if anything else depends on them; that
 * would be a mistake. On a cluster, the table of a trigger is also the only shard of a younger table; the trigger of that one
 * takes that of the shard along.
 */
async function dropFunctionsOf(client: pg.Client, names: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `WITH made AS (
       SELECT signature, to_regprocedure(signature) AS id FROM takt.schema_functions, unnest(signatures) AS signature
       WHERE name = ANY ($1)
     )
     SELECT format('DROP VIEW IF EXISTS %s', signature) AS statement FROM made WHERE signature !~ '\\('
     UNION ALL
     (SELECT format('DROP TRIGGER IF EXISTS %I ON %s', tgname, tgrelid::regclass)
      FROM pg_trigger WHERE tgfoid IN (SELECT id FROM made) ORDER BY tgrelid DESC)
     UNION ALL
     SELECT format('DROP FUNCTION %s', string_agg(id::text, ', ')) FROM made WHERE id IS NOT NULL HAVING count(id) > 0`,
    [names],
  );
  for (const { statement } of rows) await client.query(statement);
  await client.query('DELETE FROM takt.schema_functions WHERE name = ANY ($1)', [names]);
}

async function applyFile(client: pg.Client, { name, sql, checksum }: SqlFile): Promise<void> {
  const before = await readSignatures(client);
  for (const statement of statementsIn(sql)) await client.query(statement);
  const made = (await readSignatures(client)).filter((signature) => !before.includes(signature));
  await client.query('INSERT INTO takt.schema_functions (name, checksum, signatures) VALUES ($1, $2, $3)', [
    name,
    checksum,
    made,
  ]);
}

/** Matches the text up to a semicolon that is in no body of a function, no comment and no string. */
const STATEMENT = /(?:\$\$[\s\S]*?\$\$|--.*|'[^']*'|[^;])+/g;

/** Returns the statements of a file. Citus sends the whole text of a call to the nodes, also if it is about one statement. */
export function statementsIn(sql: string): readonly string[] {
  return (sql.match(STATEMENT) ?? []).filter((text) => text.replaceAll(/--.*/g, '').trim() !== '');
}

async function readSignatures(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc WHERE pronamespace = 'takt'::regnamespace
     UNION ALL
     SELECT oid::regclass::text FROM pg_class WHERE relkind = 'v' AND relnamespace = 'takt'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ signature }) => signature);
}
