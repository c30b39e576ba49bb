import { ServiceError } from '@takt/error-catalogue';
import type { Leave, Turnstile } from '@takt/runtime';
import type { Identity } from '../access/establish-identity.js';
import type { StatementCompany } from '../query/run-statement.js';

/** Who work is for. */
export interface Asker extends Pick<Identity, 'pid' | 'clientId' | 'tokenId'> {
  readonly company: StatementCompany;
}

/** Whose shares work counts in. A person has one share with all tokens, and so has a client that acts for itself. */
export function ownersOf({ company, pid, clientId, tokenId }: Asker) {
  const client = clientId === null ? `token ${tokenId}` : `client ${clientId}`;
  return { company: company.key, reader: pid === null ? client : `person ${pid}` };
}

/** A moment: most of the time for an answer is for the work. */
const LONGEST_WAIT_MS = 1_000;

/** Until when who asks now waits, by performance.now. */
export const waitEndMs = () => performance.now() + LONGEST_WAIT_MS;

/** Waits for the turn of who asks. Throws overloaded where it has not come by `untilMs`. */
export async function takeTurn(
  turnstile: Turnstile,
  asker: Asker,
  untilMs: number = waitEndMs(),
): Promise<Leave> {
  const leave = await turnstile.enter({ owners: ownersOf(asker), untilMs });
  if (typeof leave !== 'function') throw new ServiceError('overloaded');
  return leave;
}
