import { createAccessToken } from '@takt/access';
import { type ClientOptions, openClient, type TaktClient } from '@takt/client';
import {
  type AppProcess,
  type AppProcessOptions,
  createTestDatabase,
  startApp,
} from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';

/**
 * A running API with two companies, and a client with a token for it. The only data are the errors of the API itself.
 */
export interface TestService {
  readonly api: AppProcess;
  readonly token: string;
  readonly takt: TaktClient;
  /** Opens another client of the API. */
  open(options?: Partial<ClientOptions>): TaktClient;
  /** Reads the document at an address without the client. */
  ask(address: string): Promise<Readonly<Record<string, unknown>>>;
  /** Stops the API and starts it again at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const TOKEN_LIFETIME_MS = 3_600_000;

export async function startTestService(
  options: Pick<AppProcessOptions, 'baseUrlOf' | 'environment'> = {},
): Promise<TestService> {
  const { url: databaseUrl, database, close } = await createTestDatabase();
  for (const code of ['TEM-NO', 'TEM-SE']) await addCompany(database, code, `Company ${code}`);
  const { token } = await createAccessToken(database, {
    companyCodes: ['TEM-NO', 'TEM-SE'],
    expiresInMs: TOKEN_LIFETIME_MS,
  });
  let api = await startApp('api', { ...options, databaseUrl });
  const { origin } = api;
  const open = (options?: Partial<ClientOptions>) => openClient({ baseUrl: origin, token, ...options });
  return {
    api,
    token,
    takt: open(),
    open,
    ask: async (address) => {
      const answer = await fetch(origin + address, { headers: { authorization: `Bearer ${token}` } });
      return JSON.parse(await answer.text());
    },
    restart: async () => {
      await api.stop('SIGKILL');
      api = await startApp('api', { ...options, databaseUrl, port: Number(new URL(origin).port) });
    },
    close: async () => {
      await api.stop();
      await close();
    },
  };
}
