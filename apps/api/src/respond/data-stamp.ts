import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { GrantedCompany } from '@takt/access';
import type { Resource, ResourceFamily } from '@takt/catalogue/resources';
import type { Database } from '@takt/database';
import { runStatement } from '../sql/run-statement.js';
import type { Statement } from '../sql/statement-cache.js';

type Pool = Database['pool'];
type StampedCompany = Pick<GrantedCompany, 'companyId' | 'key'>;

/**
 * The rights that a reader needs to get cached answers. After any change in the company, an answer must be made again,
 * which takes longer. A reader who may not see planned times must not conclude from this delay that plans have changed.
 */
export const EVERY_TIME = {
  clientPermission: 'production-times',
  duty: 'read-production-times',
  furtherDuty: 'read-planned-times',
} as const;

/** In every time zone a month ends at a full quarter of an hour. */
const QUARTER_HOUR_MS = 900_000;

/** The number of the present quarter of an hour. */
export const quarterHour = (): number => Math.floor(Date.now() / QUARTER_HOUR_MS);

const numbers = new WeakMap<Resource | ResourceFamily, number>();
let newest = 0;

/** Returns a number for each set of visible fields. restrictFamily returns the same object for the same set. */
export function numberOf(shown: Resource | ResourceFamily): number {
  const number = numbers.get(shown) ?? ++newest;
  numbers.set(shown, number);
  return number;
}

/** Reads the stamp of the company's data, at some moment after the call. Undefined if the company has none. */
export type ReadStamp = (pool: Pool, company: StampedCompany) => Promise<string | undefined>;

const STAMP: Statement = {
  text: `SELECT bit_xor(stamp)::text AS stamp, current_setting('takt.company_key', true) AS "companyKey"
    FROM takt.company_changes WHERE company_id IN (0, $1)`,
  name: 'takt_stamp',
  canBeNarrowed: false,
  bind: ({ companyId }) => [companyId],
};

/** The readings of one company's stamp on one server. */
interface Readings {
  /** Its statement has not been sent yet, so further callers may share it. */
  next?: Promise<string | undefined> | undefined;
  /** The last statement, which is perhaps still running. */
  last?: Promise<unknown>;
}

/** The maximum time that a statement waits for the previous one, which may hang. */
const LONGEST_WAIT_MS = 10;

/**
 * Creates a reader of stamps. All callers that arrive while a statement is running share the next one, which is sent
 * after them. So a few statements are enough for all callers under load.
 */
export function createStampReader(): ReadStamp {
  const readings = new WeakMap<Pool, Map<string, Readings>>();
  return async (pool, company) => {
    const ofPool = readings.get(pool) ?? new Map<string, Readings>();
    readings.set(pool, ofPool);
    const known = ofPool.get(company.key) ?? {};
    ofPool.set(company.key, known);
    const read = async () => {
      await Promise.race([known.last ?? setImmediate(), delay(LONGEST_WAIT_MS, undefined, { ref: false })]);
      known.next = undefined;
      const { companyId } = company;
      const sent = runStatement<{ readonly stamp: string | null }>(pool, company, STAMP, { companyId });
      known.last = sent.then(setImmediate, setImmediate);
      return (await sent)[0]?.stamp ?? undefined;
    };
    known.next ??= read();
    return await known.next;
  };
}
