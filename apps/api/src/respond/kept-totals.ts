import { isOfPeriods, SUMMARY } from '@takt/catalogue/resources';
import { mayRead } from '@takt/catalogue/rights';
import type { Database } from '@takt/database';
import { LRUCache } from 'lru-cache';
import type { Identity } from '../parse/establish-identity.js';
import type { ListPlan } from '../plan/plan.js';
import type { ListQuestion } from '../plan/resolve-question.js';
import type { FoundRow } from '../sql/result.js';
import { createStampReader, EVERY_TIME, numberOf, quarterHour } from './data-stamp.js';

/** The size and the totals of a list, as a statement returned them. */
type OfList = Pick<FoundRow, 'size' | 'totals'>;

interface Kept {
  /** The stamp of the company's data, read before them. */
  readonly stamp: string;
  readonly ofList: OfList;
}

const MAX_LISTS = 500;
/** Lists with a longer filter are not kept, so that all names together take at most a few megabytes. */
const LONGEST_NAME = 2_000;

/** The lists that were read through each pool. */
const listsOfPool = new WeakMap<Database['pool'], LRUCache<string, Kept>>();
const readStamp = createStampReader();

/**
 * Reads a page of a list, but counts and sums its rows only if data of the company have changed since they were counted
 * last. At 100,000 rows that takes ten times as long as everything else, and all pages and orders of a list share it.
 * For readers who may not see planned times it always counts: they must not conclude from the time of an answer that plans
 * have changed.
 * @param read reads the page, with or without size and totals, from the server on which the stamp was read
 */
export async function readWithKeptTotals(
  plan: ListPlan,
  { company, ...held }: Pick<Identity, 'company' | 'permissions' | 'duties'>,
  pool: Database['pool'],
  read: (isCounted: boolean) => Promise<FoundRow | undefined>,
): Promise<FoundRow | undefined> {
  const name = nameOf(plan);
  if (
    plan.question.resource.totals === undefined ||
    name.length > LONGEST_NAME ||
    !mayRead(held, EVERY_TIME)
  ) {
    return await read(true);
  }
  const lists = listsOfPool.get(pool) ?? new LRUCache<string, Kept>({ max: MAX_LISTS });
  listsOfPool.set(pool, lists);
  const stamp = await readStamp(pool, company);
  const known = lists.get(name);
  if (known !== undefined && known.stamp === stamp) {
    const found = await read(false);
    return found && { ...found, ...known.ofList };
  }
  const found = await read(true);
  if (stamp !== undefined && found !== undefined) {
    const { size = null, totals = null } = found;
    lists.set(name, { stamp, ofList: { size, totals } });
  }
  return found;
}

/** Everything on which the size and the totals depend apart from the data: neither the order nor the page. */
function nameOf({ question, shape }: ListPlan): string {
  const { resource, companyId, identifiers, options } = question;
  const own = [...options.own];
  // The totals of a period tell whether its last month is over.
  const quarter = own.some(([parameter]) => isOfPeriods(parameter)) ? quarterHour() : '';
  const { filter, search } = options;
  const ofList = [numberOf(resource), companyId, identifiers, own, filter?.text, search];
  return JSON.stringify([...ofList, quarter, String(shape.countsUpTo), shape.totals.length]);
}

/** The same question without size and totals. */
export const uncounted = (question: ListQuestion): ListQuestion => ({
  ...question,
  options: { ...question.options, countAll: false },
  expansion: new Set([...question.expansion].filter((name) => name !== SUMMARY)),
});
