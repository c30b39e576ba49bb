import {
  type Attempt,
  type ClientCredentials,
  type CodeExchange,
  createSignInGuard,
  type GrantResult,
  grantAuthorizationCode,
  grantClientCredentials,
  grantPassword,
  grantRefreshToken,
  type PersonCredentials,
  type PutOff,
  type SignInGuard,
  signIn,
} from '@takt/access';
import type { Database } from '@takt/database';
import { callDatabase } from '../query/run-statement.js';

type Outcome = Promise<GrantResult | PutOff>;

/** Every way to get a token, each held back where it failed too often. `address`: the remote one of who asks. */
export interface SignIns {
  byClient(client: ClientCredentials, address: string): Outcome;
  byPassword(client: ClientCredentials, person: PersonCredentials, address: string): Outcome;
  byRefreshToken(client: ClientCredentials, refreshToken: string, address: string): Outcome;
  byCode(client: ClientCredentials, exchange: CodeExchange, address: string): Outcome;
  /** The session of a page. */
  byPerson(person: PersonCredentials, address: string): Outcome;
}

/** Throws databaseUnavailable where the database does not answer. */
export function createSignIns(pool: Database['pool'], guard: SignInGuard = createSignInGuard()): SignIns {
  const attempt = (who: Attempt, check: () => Promise<GrantResult>) =>
    callDatabase(guard.attempt(who, check));
  const asClient = ({ clientId }: ClientCredentials, address: string) => ({
    clientId,
    pid: undefined,
    address,
  });
  return {
    byClient: (client, address) =>
      attempt(asClient(client, address), () => grantClientCredentials(pool, client)),
    byPassword: (client, person, address) =>
      attempt({ ...asClient(client, address), pid: person.pid }, () => grantPassword(pool, client, person)),
    byRefreshToken: (client, refreshToken, address) =>
      attempt(asClient(client, address), () => grantRefreshToken(pool, client, refreshToken)),
    byCode: (client, exchange, address) =>
      attempt(asClient(client, address), () => grantAuthorizationCode(pool, client, exchange)),
    byPerson: (person, address) =>
      attempt({ clientId: undefined, pid: person.pid, address }, () => signIn(pool, person)),
  };
}
