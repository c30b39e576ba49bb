import { createAccessToken } from '@takt/access';
import type { Database } from '@takt/database';
import { listCompanies } from '@takt/master-data';

export interface DemoToken {
  readonly token: string;
  readonly validDays: number;
  /** The first is the default. */
  readonly companyCodes: readonly string[];
}

const VALID_DAYS = 7;
const DAY_MS = 86_400_000;

/** A token for every company that is registered, undefined where there is none yet. */
export async function createDemoToken(database: Database): Promise<DemoToken | undefined> {
  const companyCodes = (await listCompanies(database)).map(({ code }) => code);
  if (companyCodes.length === 0) return undefined;
  const { token } = await createAccessToken(database, {
    companyCodes,
    expiresInMs: VALID_DAYS * DAY_MS,
    description: 'demo token of takt start',
  });
  return { token, validDays: VALID_DAYS, companyCodes };
}
