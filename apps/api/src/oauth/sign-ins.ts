import {
  type ClientCredentials,
  type CodeExchange,
  type GrantResult,
  grantAuthorizationCode,
  grantClientCredentials,
  grantPassword,
  grantRefreshToken,
  type PersonCredentials,
  signIn,
} from '@takt/access';
import type { Database } from '@takt/database';
import { createSignInGuard, type PutOff, type SignInGuard } from './sign-in-guard.js';

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

export function createSignIns(pool: Database['pool'], guard: SignInGuard = createSignInGuard()): SignIns {
  return {
    byClient: (client, address) =>
      guard.attempt({ clientId: client.clientId, pid: undefined, address }, () =>
        grantClientCredentials(pool, client),
      ),
    byPassword: (client, person, address) =>
      guard.attempt({ clientId: client.clientId, pid: person.pid, address }, () =>
        grantPassword(pool, client, person),
      ),
    byRefreshToken: (client, refreshToken, address) =>
      guard.attempt({ clientId: client.clientId, pid: undefined, address }, () =>
        grantRefreshToken(pool, client, refreshToken),
      ),
    byCode: (client, exchange, address) =>
      guard.attempt({ clientId: client.clientId, pid: undefined, address }, () =>
        grantAuthorizationCode(pool, client, exchange),
      ),
    byPerson: (person, address) =>
      guard.attempt({ clientId: undefined, pid: person.pid, address }, () => signIn(pool, person)),
  };
}
