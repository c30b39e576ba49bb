import type { Database } from '@takt/database';
import { type ApiClientSummary, listApiClients } from './api-clients.js';
import { failUnknown } from './named-rows.js';
import { duties } from './rights.js';
import { assertKnown } from './unknown-names.js';
import { listUsers, type UserSummary } from './users.js';

/** A token was to be given what its client or person does not have. */
export class BeyondLimitsError extends Error {
  override readonly name = 'BeyondLimitsError';
}

export interface TokenLimits {
  readonly companyCodes: readonly string[];
  readonly clientId?: number;
  readonly pid?: number;
  readonly duties?: readonly string[];
  readonly mayPublish?: boolean;
}

/**
 * Throws a BeyondLimitsError where client or person do not have what is asked for: they would not have it with the token
 * either, and whoever made it would wonder. An UnknownNamesError where they or a duty are none.
 */
export async function assertWithinLimits(database: Database, wanted: TokenLimits): Promise<void> {
  assertKnown('duty', wanted.duties ?? [], duties);
  if (wanted.clientId !== undefined) assertOfClient(await findClient(database, wanted.clientId), wanted);
  if (wanted.pid !== undefined) assertOfPerson(await findPerson(database, wanted.pid), wanted);
}

async function findClient(database: Database, id: number): Promise<ApiClientSummary> {
  const clients = await listApiClients(database);
  return clients.find(({ clientId }) => clientId === id) ?? failUnknown(database, 'client', id);
}

async function findPerson(database: Database, id: number): Promise<UserSummary> {
  const people = await listUsers(database);
  return people.find(({ pid }) => pid === id) ?? failUnknown(database, 'person', id);
}

function assertOfClient(client: ApiClientSummary, { companyCodes, mayPublish }: TokenLimits): void {
  const who = `client ${client.clientId} (${client.name})`;
  if (client.disabledAt !== null) throw new BeyondLimitsError(`${who} is disabled`);
  // A client without companies is for those of whoever signs in.
  if (client.companyCodes.length > 0) assertHeld(`${who} is not for`, companyCodes, client.companyCodes);
  if (mayPublish === true) assertHeld(`${who} is not permitted to`, ['publish-events'], client.permissions);
}

function assertOfPerson(person: UserSummary, { companyCodes, duties: wanted = [] }: TokenLimits): void {
  const who = `person ${person.pid} (${person.name})`;
  if (person.disabledAt !== null) throw new BeyondLimitsError(`${who} is disabled`);
  assertHeld(`${who} does not work for`, companyCodes, person.companyCodes);
  assertHeld(`${who} is not trusted with`, wanted, person.heldDuties);
}

function assertHeld(lack: string, wanted: readonly string[], held: readonly string[]): void {
  const missing = wanted.filter((name) => !held.includes(name));
  if (missing.length === 0) return;
  const has = held.length === 0 ? 'nothing' : held.join(', ');
  throw new BeyondLimitsError(`${lack} ${missing.join(', ')}, only: ${has}`);
}
