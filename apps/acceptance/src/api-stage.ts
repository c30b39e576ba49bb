import { createAccessToken } from '@takt/access';
import { addCompany } from '@takt/master-data';
import { createTestDatabase, type TestDatabase } from '@takt/test-support';
import { type ApiClient, openApiClient } from './api-client.js';
import { type ApiProcess, type ApiProcessOptions, startApiProcess } from './api-process.js';

/** A database of its own with companies, an API process on it, and a client with a token of all the companies. */
export interface ApiStage {
  readonly databaseUrl: string;
  readonly database: TestDatabase['database'];
  readonly api: ApiProcess;
  readonly client: ApiClient;
  readonly token: string;
  close(): Promise<void>;
}

export const TOKEN_LIFETIME_MS = 3_600_000;

export interface ApiStageOptions extends Omit<ApiProcessOptions, 'databaseUrl'> {
  /** The first is the token's default. */
  readonly companies: readonly [string, ...string[]];
}

export async function openApiStage({ companies, ...options }: ApiStageOptions): Promise<ApiStage> {
  const { url: databaseUrl, database, close } = await createTestDatabase();
  try {
    for (const code of companies) await addCompany(database, code, `Company ${code}`);
    const request = { companyCodes: companies, expiresInMs: TOKEN_LIFETIME_MS };
    const { token } = await createAccessToken(database, request);
    const api = await startApiProcess({ ...options, databaseUrl });
    const client = openApiClient(api, token);
    return {
      databaseUrl,
      database,
      api,
      client,
      token,
      close: async () => {
        client.close();
        await api.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
