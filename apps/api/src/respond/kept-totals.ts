import { isOfPeriods, SUMMARY } from '@takt/catalogue/resources';
import { mayRead } from '@takt/catalogue/rights';
import type { Database } from '@takt/database';
import { LRUCache } from 'lru-cache';
import type { Identity } from '../parse/establish-identity.js';
import type { ListPlan } from '../plan/plan.js';
import type { ListQuestion } from '../plan/resolve-question.js';
import type { FoundRow } from '../sql/result.js';
import { statementShapeOf } from '../sql/statement-cache.js';
import { createStampReader, EVERY_TIME, numberOf, quarterHour } from './data-stamp.js';

interface Kept {
  /** The stamp of the company's data, read before them. */
  readonly stamp: string;
  /** The page, or only the size and the totals of its list; being read, or read. */
  readonly found: Promise<FoundRow | undefined>;
}

const MAX_LISTS = 500;
/** The maximum number of rows of all kept pages. They take some 10 MB. */
const MAX_ROWS = 10_000;
/** Lists with a longer name are not kept, so that all names together take at most a few megabytes. */
const LONGEST_NAME = 2_000;

/** The lists that were read through each pool. */
const listsOfPool = new WeakMap<Database['pool'], LRUCache<string, Kept>>();
const readStamp = createStampReader();

/**
 * Reads a page of a list, but counts and sums its rows only if data of the company have changed since they were counted
 * last. At 100,000 rows that takes ten times as long as everything else, and all pages and orders of a list share it. If a
 * page can only be found by reading all rows, such as that of products by hours, the whole page is kept. Readers who ask
 * for the same at the same time share one reading. For readers who may not see planned times it always reads: they must
 * not conclude from the time of an answer that plans have changed.
 * @param read reads the page, with or without size and totals, from the server on which the stamp was read
 */
export async function readWithKeptTotals(
  plan: ListPlan,
  { company, ...held }: Pick<Identity, 'company' | 'permissions' | 'duties'>,
  pool: Database['pool'],
  read: (isCounted: boolean) => Promise<FoundRow | undefined>,
): Promise<FoundRow | undefined> {
  const { resource, options } = plan.question;
  const isWhole = resource.source.isLong !== true;
  const name = isWhole ? nameOfPage(plan) : nameOf(plan);
  if (resource.totals === undefined || name.length > LONGEST_NAME || !mayRead(held, EVERY_TIME)) {
    return await read(true);
  }
  const lists = listsOfPool.get(pool) ?? new LRUCache<string, Kept>({ max: MAX_LISTS, maxSize: MAX_ROWS });
  listsOfPool.set(pool, lists);
  const stamp = await readStamp(pool, company);
  if (stamp === undefined) return await read(true);
  const known = lists.get(name);
  if (known !== undefined && known.stamp === stamp) {
    if (isWhole) return await known.found;
    const [found, ofList] = [await read(false), await known.found];
    return found && { ...found, ...ofList };
  }
  const found = read(true);
  const kept = { stamp, found: isWhole ? found : found.then(ofListIn) };
  lists.set(name, kept, { size: isWhole ? options.top : 1 });
  kept.found.catch(() => {
    if (lists.peek(name) === kept) lists.delete(name);
  });
  return await found;
}

/** The size and the totals of a list, as a statement returned them. */
const ofListIn = (found: FoundRow | undefined): FoundRow | undefined =>
  found && { size: found.size ?? null, totals: found.totals ?? null };

/** The totals of a period tell whether its last month is over. */
const quarterOf = ({ options }: ListQuestion): string | number =>
  [...options.own].some(([parameter]) => isOfPeriods(parameter)) ? quarterHour() : '';

/** Everything on which a page of a list depends apart from the data. */
const nameOfPage = (plan: ListPlan): string =>
  JSON.stringify([statementShapeOf(plan).key, plan.values, quarterOf(plan.question)]);

/** Everything on which the size and the totals depend apart from the data: neither the order nor the page. */
function nameOf({ question, shape }: ListPlan): string {
  const { resource, companyId, identifiers, options } = question;
  const { own, filter, search } = options;
  const ofList = [numberOf(resource), companyId, identifiers, [...own], filter?.text, search];
  return JSON.stringify([...ofList, quarterOf(question), String(shape.countsUpTo), shape.totals.length]);
}

/** The same question without size and totals. */
export const uncounted = (question: ListQuestion): ListQuestion => ({
  ...question,
  options: { ...question.options, countAll: false },
  expansion: new Set([...question.expansion].filter((name) => name !== SUMMARY)),
});
