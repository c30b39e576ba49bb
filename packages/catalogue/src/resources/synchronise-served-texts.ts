import { catalogueRows } from '../errors/error-catalogue.js';
import { servedDomains } from './registry.js';

interface Connection {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rowCount: number | null; readonly rows: readonly Row[] }>;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Functions that bring the texts that are served from tables into agreement with the code. They must run after each
 * migration.
 */
export const synchroniseServedTexts: readonly ((connection: Connection) => Promise<void>)[] = [
  (connection) => synchronise(connection, 'error_messages', ['error_message_id'], errorMessageRows()),
  (connection) => synchronise(connection, 'domain_values', ['object', 'field', 'key'], domainValueRows()),
];

/**
 * Replaces the content of a table by these rows, unless it has exactly these: on a cluster a write needs all nodes. A row that
 * is already right is not written again. If anything is changed, cached answers become invalid.
 */
async function synchronise(
  connection: Connection,
  table: string,
  key: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const known = `json_populate_recordset(NULL::takt.${table}, $1::json) AS known`;
  const isSame = key.map((column) => `listed.${column} = known.${column}`).join(' AND ');
  const others = Object.keys(rows[0] ?? {}).filter((column) => !key.includes(column));
  const all = (of: string) => others.map((column) => `${of}.${column}`).join(', ');
  const values = [JSON.stringify(rows)];
  const compared = await connection.query(
    `SELECT count(*) = $2 AND (SELECT count(*) FROM takt.${table}) = $2 AS "isSame"
     FROM takt.${table} AS listed JOIN ${known} ON ${isSame} AND (${all('listed')}) IS NOT DISTINCT FROM (${all('known')})`,
    [...values, rows.length],
  );
  if (compared.rows[0]?.['isSame'] === true) return;
  await connection.query('BEGIN');
  try {
    const removed = await connection.query(
      `DELETE FROM takt.${table} AS listed WHERE NOT EXISTS (SELECT FROM ${known} WHERE ${isSame})`,
      values,
    );
    const written = await connection.query(
      `INSERT INTO takt.${table} AS listed SELECT known.* FROM ${known} ON CONFLICT (${key.join(', ')}) DO UPDATE
       SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}
       WHERE (${all('listed')}) IS DISTINCT FROM (${all('excluded')})`,
      values,
    );
    if (removed.rowCount !== 0 || written.rowCount !== 0) {
      await connection.query("SELECT takt.note_changes('{0}')");
    }
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function errorMessageRows(): readonly Row[] {
  return catalogueRows().map((row) => ({
    error_message_id: row.errorMessageId,
    status: row.status,
    namespace: row.namespace,
    http_status_code: row.httpStatusCode,
    message: row.message,
    available_translations: row.availableTranslations,
    created_by: row.createdBy,
    technical_description: row.technicalDescription,
    translations: row.translations,
  }));
}

function domainValueRows(): readonly Row[] {
  return servedDomains().flatMap(({ object, field, values }) =>
    Object.entries(values).map(([key, description], index) => ({
      object,
      field,
      key,
      description: description.eng,
      translations: description,
      priority: index + 1,
    })),
  );
}
