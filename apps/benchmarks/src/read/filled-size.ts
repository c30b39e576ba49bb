import { createAccessToken } from '@takt/access';
import { type ApiProcess, startApiProcess } from '@takt/test-support';
import { COMPANY, type Filled } from './fill-database.js';

/** A filled database with our API in front of it. */
export interface ServedSize extends Filled {
  readonly rows: number;
  readonly api: ApiProcess;
  readonly token: string;
  readonly company: { readonly id: number; readonly key: string };
}

const TOKEN_MS = 86_400_000;

/** Requests come again here, and are to be answered each time, unless what is kept is to be measured. */
export function startMeasuredApi(databaseUrl: string, { keepsAnswers = false } = {}): Promise<ApiProcess> {
  return startApiProcess({
    databaseUrl,
    environment: { NODE_ENV: 'production', ...(keepsAnswers ? {} : { TAKT_KEPT_ANSWERS_MB: '0' }) },
  });
}

export async function serveSize(filled: Filled, rows: number): Promise<ServedSize> {
  const { token } = await createAccessToken(filled.database, {
    companyCodes: [COMPANY],
    expiresInMs: TOKEN_MS,
  });
  const found = await filled.database.pool.query<{ readonly id: number; readonly key: string }>(
    'SELECT company_id AS id, access_key AS key FROM takt.companies',
  );
  const [company] = found.rows;
  if (company === undefined) throw new Error('there is no company');
  return { ...filled, rows, token, company, api: await startMeasuredApi(filled.url) };
}
