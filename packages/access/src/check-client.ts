import type { Database } from '@takt/database';
import { proveSecret, type ScryptParameters } from './slow-hash.js';
import { hashToken } from './token-format.js';

type Pool = Database['pool'];

/** A client as it names itself. */
export interface ClientCredentials {
  readonly clientId: number;
  /** Undefined: a public client. */
  readonly secret: string | undefined;
}

/** `slow`: the secret may be right, which only scrypt can tell: see quickenSecret. */
export type ClientCheck = 'right' | 'wrong' | { readonly slow: ScryptParameters };

type CheckRow = { readonly is_right: boolean } & (ScryptParameters | { readonly salt: null });

/**
 * Whether it is a live client with this secret. That has 256 random bits, so nobody guesses it, a quick hash is enough, and
 * no failures need to be counted.
 */
export async function checkClient(pool: Pool, client: ClientCredentials): Promise<ClientCheck> {
  const { rows } = await pool.query<CheckRow>({
    name: 'check_client',
    text: `SELECT is_right, salt, cost, block_size AS "blockSize", parallelization FROM takt.check_client($1, $2)`,
    values: [idOf(client.clientId), proofOf(client)],
  });
  const [row] = rows;
  if (row?.is_right === true) return 'right';
  return row === undefined || row.salt === null ? 'wrong' : { slow: row };
}

/**
 * Stores the quick hash of a secret of which only the slow one is stored, as versions before 0022 did it. False where the
 * secret is wrong. To be called behind a sign-in guard, because it computes.
 */
export async function quickenSecret(
  pool: Pool,
  { clientId, secret = '' }: ClientCredentials,
  parameters: ScryptParameters,
): Promise<boolean> {
  const { rows } = await pool.query<{ isRight: boolean }>({
    name: 'quicken_secret',
    text: 'SELECT takt.quicken_secret($1, $2, $3) AS "isRight"',
    values: [idOf(clientId), await proveSecret(secret, parameters), hashToken(secret)],
  });
  return rows[0]?.isRight === true;
}

/** What proves a client to the database; null for a public one. */
export function proofOf({ secret }: Pick<ClientCredentials, 'secret'>): Buffer | null {
  return secret === undefined ? null : hashToken(secret);
}

const MAX_ID = 2 ** 31 - 1;
/** The id of nobody, for a number that can be nobody's: it takes the same way as any other. */
const NOBODY = 0;

export function idOf(id: number): number {
  return Number.isInteger(id) && id >= 1 && id <= MAX_ID ? id : NOBODY;
}
