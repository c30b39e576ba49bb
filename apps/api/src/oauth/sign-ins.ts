import {
  type ClientCredentials,
  type CodeExchange,
  checkClient,
  createSignInGuard,
  type GrantError,
  type GrantResult,
  grantAuthorizationCode,
  grantClientCredentials,
  grantPassword,
  grantRefreshToken,
  type IssuedTokens,
  knownNetworksOf,
  type PersonCredentials,
  type PutOff,
  quickenSecret,
  revokeClientToken,
  type SignInAttempt,
  type SignInFailure,
  type SignInGuard,
  signInByCode,
  signInPerson,
} from '@takt/access';
import type { Database } from '@takt/database';
import { callDatabase } from '../sql/run-statement.js';

export type Refused = { readonly refused: GrantError };
type Outcome = Promise<GrantResult | PutOff>;

/** All ways to sign in, for clients and for people. `address` is always the remote address of the caller. */
export interface SignIns {
  byClient(client: ClientCredentials, address: string): Outcome;
  byPassword(client: ClientCredentials, person: PersonCredentials, address: string): Outcome;
  byRefreshToken(client: ClientCredentials, refreshToken: string, address: string): Outcome;
  byCode(client: ClientCredentials, exchange: CodeExchange, address: string): Outcome;
  byPerson(attempt: SignInAttempt): Promise<IssuedTokens | SignInFailure>;
  /** Starts the session of a browser with a code from the command line. */
  byOpeningCode(code: string): Promise<GrantResult>;
  /** Revokes a token of the client. Returns undefined if this succeeded. */
  end(client: ClientCredentials, token: string, address: string): Promise<Refused | PutOff | undefined>;
}

/**
 * Creates the ways to sign in. The guard delays attempts with passwords. Client secrets, refresh tokens and codes are
 * random and cannot be guessed, so a failed attempt with one of them delays nobody. Throws databaseUnavailable if the
 * database does not answer.
 */
export function createSignIns(
  pool: Database['pool'],
  guard: SignInGuard = createSignInGuard(knownNetworksOf(pool)),
): SignIns {
  /** Checks the credentials of a client. Returns undefined if they are right. */
  const refuseClient = async (
    client: ClientCredentials,
    address: string,
  ): Promise<Refused | PutOff | undefined> => {
    const check = await checkClient(pool, client);
    if (check === 'right') return undefined;
    if (check === 'wrong') return { refused: 'invalid_client' };
    const outcome = await guard.attempt({ pid: undefined, address }, async () =>
      (await quickenSecret(pool, client, check.slow)) ? { quickened: true } : { refused: 'invalid_client' },
    );
    return 'quickened' in outcome || 'issued' in outcome ? undefined : outcome;
  };
  const asClient = <Result>(client: ClientCredentials, address: string, act: () => Promise<Result>) => {
    const run = async () => (await refuseClient(client, address)) ?? act();
    return callDatabase(run());
  };
  return {
    byClient: (client, address) => asClient(client, address, () => grantClientCredentials(pool, client)),
    byPassword: (client, person, address) =>
      asClient(client, address, () =>
        guard.attempt({ pid: person.pid, address }, () => grantPassword(pool, client, person)),
      ),
    byRefreshToken: (client, refreshToken, address) =>
      asClient(client, address, () => grantRefreshToken(pool, client, refreshToken)),
    byCode: (client, exchange, address) =>
      asClient(client, address, () => grantAuthorizationCode(pool, client, exchange)),
    byPerson: (attempt) => callDatabase(signInPerson(pool, guard, attempt)),
    byOpeningCode: (code) => callDatabase(signInByCode(pool, code)),
    end: (client, token, address) =>
      asClient(client, address, async () => {
        const refused = await revokeClientToken(pool, client, token);
        return refused === undefined ? undefined : { refused };
      }),
  };
}
