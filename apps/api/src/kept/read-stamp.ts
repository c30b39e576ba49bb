import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { GrantedCompany } from '@takt/access';
import type { Database } from '@takt/database';
import { runStatement } from '../query/run-statement.js';
import type { Statement } from '../query/statement-cache.js';

type Pool = Database['pool'];
type StampedCompany = Pick<GrantedCompany, 'companyId' | 'key'>;

/**
 * Where the data of a company stand on a server, theirs and what belongs to all, at a moment after this was called. Two
 * equal stamps mean that nothing was committed between them. undefined: not known. Rejects as runStatement does.
 */
export type ReadStamp = (pool: Pool, company: StampedCompany) => Promise<string | undefined>;

const STAMP: Statement = {
  text: 'SELECT bit_xor(stamp)::text AS stamp FROM takt.company_changes WHERE company_id IN (0, $1)',
  name: 'takt_stamp',
  canBeNarrowed: false,
  bind: ({ companyId }) => [companyId],
};

/** How long a statement waits for the one before, which may be stuck. */
const LONGEST_WAIT_MS = 10;

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** What is known of a company on a server. */
interface Standing {
  stamp: string | undefined;
  pauseMs: number;
  pausedUntilMs: number;
  /** Not yet sent, so that who comes now may share it. */
  joinable: Promise<string | undefined> | undefined;
  /** Sent, and not yet answered. */
  underWay: Promise<unknown> | undefined;
}

/**
 * Who asks while one is under way, or in the same turn of the event loop, shares the next statement, which is sent after the
 * last of them has asked: under load a few statements do for all.
 *
 * Where data have changed each time, nothing can be kept: then it is not asked for a while, twice as long each time.
 * @param longestPauseMs 0: it is always asked
 */
export function createStampReader(longestPauseMs = LONGEST_PAUSE_MS): ReadStamp {
  const standings = new WeakMap<Pool, Map<string, Standing>>();
  const standingOf = (pool: Pool, { key }: StampedCompany): Standing => {
    const ofPool = standings.get(pool) ?? new Map<string, Standing>();
    standings.set(pool, ofPool);
    const known = ofPool.get(key) ?? { ...NOTHING_KNOWN };
    ofPool.set(key, known);
    return known;
  };
  return async (pool, company) => {
    const standing = standingOf(pool, company);
    if (performance.now() < standing.pausedUntilMs) return undefined;
    const ask = async () => {
      await (standing.underWay === undefined
        ? setImmediate()
        : Promise.race([standing.underWay, delay(LONGEST_WAIT_MS, undefined, { ref: false })]));
      standing.joinable = undefined;
      const reading = readStamp(pool, company);
      const ended = reading.then(ignore, ignore).then(() => {
        if (standing.underWay === ended) standing.underWay = undefined;
      });
      standing.underWay = ended;
      const stamp = await reading;
      const isChanged = standing.stamp !== undefined && standing.stamp !== stamp;
      standing.pauseMs = isChanged
        ? Math.min(Math.max(2 * standing.pauseMs, FIRST_PAUSE_MS), longestPauseMs)
        : 0;
      standing.pausedUntilMs = performance.now() + standing.pauseMs;
      standing.stamp = stamp;
      return stamp;
    };
    standing.joinable ??= ask();
    return await standing.joinable;
  };
}

const ignore = () => undefined;

const NOTHING_KNOWN: Standing = {
  ...{ stamp: undefined, pauseMs: 0, pausedUntilMs: 0 },
  ...{ joinable: undefined, underWay: undefined },
};

async function readStamp(pool: Pool, company: StampedCompany): Promise<string | undefined> {
  const { companyId } = company;
  const [row] = await runStatement<{ readonly stamp: string | null }>(pool, company, STAMP, { companyId });
  return row?.stamp ?? undefined;
}
