import type { Database } from '@takt/database';
import { catalogueRows } from '@takt/error-catalogue';
import { withDeadline } from '@takt/runtime';

const READINESS_DEADLINE_MS = 2_500;

/** Why requests cannot be served at this moment, each as a sentence that says what to do; empty when they can. */
export async function findProblems(pool: Database['pool']): Promise<readonly string[]> {
  const late = () => ['the database did not answer in time'];
  return withDeadline(findMissingErrorMessages(pool), READINESS_DEADLINE_MS, late).catch(() => [
    'the database cannot be reached: check DATABASE_URL and that the server runs',
  ]);
}

/** An error that can be raised must be listed, in the words in which it is told. */
async function findMissingErrorMessages(pool: Database['pool']): Promise<readonly string[]> {
  const { rows } = await pool.query<{ readonly error_message_id: number; readonly message: string }>(
    'SELECT error_message_id, message FROM takt.error_messages',
  );
  const listed = new Map(rows.map(({ error_message_id, message }) => [error_message_id, message]));
  const missing = catalogueRows().filter(
    ({ errorMessageId, message }) => listed.get(errorMessageId) !== message,
  );
  if (missing.length === 0) return [];
  const identifiers = missing.map(({ errorMessageId }) => errorMessageId).join(', ');
  return [`the database lists other error messages than this program has (${identifiers}): run takt migrate`];
}
