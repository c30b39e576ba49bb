import { catalogueRows } from '../errors/error-catalogue.js';
import { servedDomains } from './registry.js';

/** What this needs of a connection to the database. */
interface Connection {
  query(text: string, values: unknown[]): Promise<unknown>;
}

type Row = Readonly<Record<string, unknown>>;

/** Bring the texts that the service reads from tables into line with the code: to run whenever the schema was migrated. */
export const synchroniseServedTexts: readonly ((connection: Connection) => Promise<void>)[] = [
  (connection) => synchronise(connection, 'error_messages', ['error_message_id'], errorMessageRows()),
  (connection) => synchronise(connection, 'domain_values', ['object', 'field', 'key'], domainValueRows()),
];

/** Makes these the only rows of a table: adds, changes and removes; a row that is right already is not written. Kept answers then count as changed. */
async function synchronise(
  connection: Connection,
  table: string,
  key: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const isSame = key.map((column) => `listed.${column} = known.${column}`).join(' AND ');
  const others = Object.keys(rows[0] ?? {}).filter((column) => !key.includes(column));
  const statement = `WITH written AS (
    MERGE INTO takt.${table} AS listed
    USING json_populate_recordset(NULL::takt.${table}, $1::json) AS known
    ON ${isSame}
    WHEN NOT MATCHED BY TARGET THEN INSERT VALUES (known.*)
    WHEN NOT MATCHED BY SOURCE THEN DELETE
    WHEN MATCHED AND listed IS DISTINCT FROM known
      THEN UPDATE SET ${others.map((column) => `${column} = known.${column}`).join(', ')}
    RETURNING true
  )
  SELECT takt.note_changes('{0}') WHERE EXISTS (SELECT FROM written)`;
  await connection.query(statement, [JSON.stringify(rows)]);
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
