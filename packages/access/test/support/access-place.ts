import { type Database, openDatabase } from '@takt/database';
import { addCompany } from '@takt/master-data';
import { createTestDatabase } from '@takt/test-support';

/** A migrated database with the companies TEM-DK, TEM-NO and TEM-SE, for one suite. */
export interface AccessPlace {
  /** Of the owner. */
  readonly url: string;
  readonly database: Database;
  /** The same as the API sees it, by its log-in. */
  readonly api: Database;
  close(): Promise<void>;
}

export async function openAccessPlace(): Promise<AccessPlace> {
  const { url, appUrl, database, close } = await createTestDatabase();
  await addCompany(database, 'TEM-SE', 'Tempus Sverige');
  await addCompany(database, 'TEM-NO', 'Tempus Norge');
  await addCompany(database, 'TEM-DK', 'Tempus Danmark');
  const api = openDatabase({ url: appUrl('api'), applicationName: 'takt access test' });
  return {
    url,
    database,
    api,
    close: async () => {
      await api.close();
      await close();
    },
  };
}

/** Moves the life of all tokens into the past, so that they ended `endedMs` ago. */
export async function expireTokens({ database }: AccessPlace, endedMs: number): Promise<void> {
  await database.pool.query(
    `UPDATE access_tokens
     SET created_at = now() - interval '1 day', expires_at = now() - make_interval(secs => $1::float8 / 1000)`,
    [endedMs],
  );
}
