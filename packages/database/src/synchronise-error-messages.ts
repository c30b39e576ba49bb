import { catalogueRows } from '@takt/error-catalogue';
import type pg from 'pg';

/** Brings the table of error messages into line with the catalogue in the code: adds, changes and removes. */
export async function synchroniseErrorMessages(client: pg.ClientBase): Promise<void> {
  const rows = catalogueRows().map((row) => ({
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
  await client.query(MERGE, [JSON.stringify(rows)]);
}

const MERGE = `
  MERGE INTO takt.error_messages AS listed
  USING json_populate_recordset(NULL::takt.error_messages, $1::json) AS known
  ON listed.error_message_id = known.error_message_id
  WHEN NOT MATCHED BY TARGET THEN INSERT VALUES (known.*)
  WHEN NOT MATCHED BY SOURCE THEN DELETE
  WHEN MATCHED AND listed IS DISTINCT FROM known THEN UPDATE SET
    status = known.status, namespace = known.namespace, http_status_code = known.http_status_code,
    message = known.message, available_translations = known.available_translations,
    created_by = known.created_by, technical_description = known.technical_description,
    translations = known.translations`;
