import { ServiceError } from '@takt/catalogue/errors';
import { fillPath, isComputed, type Resource } from '@takt/catalogue/resources';
import type { Database } from '@takt/database';
import type { QueryOptions } from '@takt/query';
import { ConcurrencyLimiter, type Leave, withDeadline } from '@takt/run';
import type { Identity } from '../access/establish-identity.js';
import { computedObjects } from '../computed/computed-objects.js';
import { type ComputedRequest, rowOf } from '../computed/computed-row.js';
import { type Plan, planQuestion } from '../query/plan.js';
import { readPage } from '../query/read-page.js';
import { resolveQuestion } from '../query/resolve-question.js';
import { type FoundRow, pageOf } from '../query/result.js';
import { LONGEST_WAIT_MS, runStatement, type StatementCompany } from '../query/run-statement.js';
import { mayTakeLong, type StatementOf, statementShapeOf } from '../query/statement-cache.js';
import type { ReplicaWatch } from '../query/watch-replica.js';
import type { DetailPage, ListPage } from '../representations/writer.js';
import type { ReadRequest } from './read-request.js';
import { pageAddressOf } from './writing-context.js';

/** What pages are found with. */
export interface PageSource {
  /** Where is written, and what belongs to that is read. */
  readonly pool: Database['pool'];
  /** Beside it, where there is one. */
  readonly replica?: Pick<ReplicaWatch, 'poolToRead' | 'describe'> | undefined;
  readonly statementOf: StatementOf;
  /** Of the statements that may take long. */
  readonly longStatements: ConcurrencyLimiter;
  /** Begins every link; absolute, without a slash at its end. */
  readonly baseUrl: string;
}

/** What is asked, by whom, of the resource as their duties show it. */
export interface PageRequest {
  readonly resource: Resource;
  readonly options: QueryOptions;
  readonly read: ReadRequest;
  readonly identity: Identity;
  /** As in PlanOptions. */
  readonly countsUpTo?: number | undefined;
}

/**
 * What a page may be searched for at most, with all of its statements: that it takes too long is then said before the
 * request ends, which says no more than that the database did not answer.
 */
const SEARCH_DEADLINE_MS = 2_300;

/** When a search that begins now ends, by performance.now. */
export const searchEndMs = () => performance.now() + SEARCH_DEADLINE_MS;

/**
 * Of eight connections, long statements leave two to all that is quick. Of those that one company leaves to others, one
 * reader leaves one to a colleague. What waits is bounded by the requests that are in work.
 */
export function createLongStatements(): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    capacity: 6,
    shares: { company: 4, reader: 3 },
    waitingShares: { company: 64 },
  });
}

/** What a resource has for who asks: resolve, plan, SQL, run, or made where no table holds it. Throws a ServiceError. */
export async function findPage(
  asked: PageRequest,
  source: PageSource,
  endMs = searchEndMs(),
): Promise<ListPage | DetailPage> {
  const { resource, options, read, identity, countsUpTo } = asked;
  const question = resolveQuestion(resource, options, {
    companyId: identity.company.companyId,
    pid: identity.pid,
    pathParameters: read.request.pathParameters,
    language: read.language,
  });
  // People read what a value means and all that there is, programs ask for it.
  const isForPeople = read.format === 'html';
  const plan = planQuestion(question, {
    language: read.language,
    withDescriptions: options.showDomainDescriptions || isForPeople,
    expandsAll: isForPeople,
    countsUpTo,
  });
  const found = isComputed(resource)
    ? { row: rowOf(plan.outline, computedObjects[resource.source.computed](askedOf(asked, source))) }
    : await runPlan(plan, identity, source, endMs);
  const path = fillPath(resource.path, question.identifiers);
  const addressOf = pageAddressOf(source.baseUrl + path, read.query.parameters, options.own);
  return pageOf(plan, found, addressOf);
}

function askedOf({ options, read, identity }: PageRequest, { baseUrl }: PageSource): ComputedRequest {
  const named = new Set(options.expand.map(({ name }) => name.toLowerCase()));
  return {
    identity,
    language: read.language,
    baseUrl,
    parameters: options.own,
    isExpanded: (name) => read.format === 'html' || named.has(name.toLowerCase()),
  };
}

/**
 * What is read for a plan, all of it from one server, if there is anything. Throws what runStatement does, overloaded where
 * too much that takes long is under way, and after `endMs` that it takes too long: of a server that has answered nothing
 * until then, that it is not there.
 * @param endMs undefined: there is no end, and turns are waited for however long it takes
 */
export async function runPlan(
  plan: Plan,
  asker: Asker,
  { pool, replica, statementOf, longStatements }: Omit<PageSource, 'baseUrl'>,
  endMs?: number,
): Promise<FoundRow | undefined> {
  const server = replica?.poolToRead() ?? pool;
  let hasAnswered = false;
  const runPart = async (part: Plan): Promise<FoundRow | undefined> => {
    const shape = statementShapeOf(part);
    // Built when it is its turn: a long text takes as long as a page.
    const runNow = async () =>
      await runStatement<FoundRow>(server, asker.company, statementOf(shape), part.values, waitEndMs(endMs));
    const run = async () => {
      if (!mayTakeLong(part)) return await runNow();
      const leave = await enterLimiter(longStatements, asker, waitEndMs(endMs));
      return await runNow().finally(leave);
    };
    const [found] = await (endMs === undefined
      ? run()
      : before(endMs, run, () => {
          const isTooSlow = hasAnswered && shape.canBeNarrowed;
          throw new ServiceError(isTooSlow ? 'queryTooSlow' : 'databaseUnavailable');
        }));
    hasAnswered = true;
    return found;
  };
  return plan.kind === 'list' ? await readPage(plan, runPart) : await runPart(plan);
}

/** What a task gives until a time, and what `late` throws from then on, when none is begun any more. */
async function before<Result>(
  endMs: number,
  task: () => Promise<Result>,
  late: () => never,
): Promise<Result> {
  const leftMs = endMs - performance.now();
  return leftMs <= 0 ? late() : await withDeadline(task(), leftMs, late);
}

/** Who work is for. */
export interface Asker extends Pick<Identity, 'pid' | 'clientId' | 'tokenId'> {
  readonly company: StatementCompany;
}

/** Whose shares work counts in. A person has one share with all tokens, and so has a client that acts for itself. */
export function ownersOf({ company, pid, clientId, tokenId }: Asker) {
  const client = clientId === null ? `token ${tokenId}` : `client ${clientId}`;
  return { company: company.key, reader: pid === null ? client : `person ${pid}` };
}

/**
 * Until when who asks now waits, by performance.now.
 * @param endMs of the answer; undefined: it has none
 */
function waitEndMs(endMs: number | undefined): number {
  return endMs === undefined
    ? Number.POSITIVE_INFINITY
    : Math.min(endMs, performance.now() + LONGEST_WAIT_MS);
}

/** Waits for the turn of who asks. Throws overloaded where it has not come by `untilMs`. */
export async function enterLimiter(
  limiter: ConcurrencyLimiter,
  asker: Asker,
  untilMs = performance.now() + LONGEST_WAIT_MS,
): Promise<Leave> {
  const leave = await limiter.enter({ owners: ownersOf(asker), untilMs });
  if (typeof leave !== 'function') throw new ServiceError('overloaded');
  return leave;
}
