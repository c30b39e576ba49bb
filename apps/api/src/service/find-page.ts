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

/** Servers and limits for reading the data of pages. */
export interface PageSource {
  /** The primary: for writing, and for reads that must not come from a replica. */
  readonly pool: Database['pool'];
  readonly replica?: Pick<ReplicaWatch, 'poolToRead' | 'describe'> | undefined;
  readonly statementOf: StatementOf;
  readonly longStatements: ConcurrencyLimiter;
  /** Base URL of all links; absolute, without a trailing slash. */
  readonly baseUrl: string;
}

/** A request for a resource restricted to the reader's duties. */
export interface PageRequest {
  readonly resource: Resource;
  readonly options: QueryOptions;
  readonly read: ReadRequest;
  readonly identity: Identity;
  /** See PlanOptions. */
  readonly countsUpTo?: number | undefined;
}

/**
 * Limit for all statements of a page. It ends before the deadline of the request, whose error would only say that the
 * database did not answer.
 */
const SEARCH_DEADLINE_MS = 2_300;

/** The end of a search that starts now, in the time base of performance.now(). */
export const searchEndMs = () => performance.now() + SEARCH_DEADLINE_MS;

/**
 * Limits long statements. Of eight connections, two stay free for fast statements. One company leaves some of the long
 * statements to others, and one reader leaves one to a colleague. The number of waiting statements is bounded by the
 * number of requests in work.
 */
export function createLongStatements(): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    capacity: 6,
    shares: { company: 4, reader: 3 },
    waitingShares: { company: 64 },
  });
}

/**
 * Finds the data of a request: resolves, plans and runs a statement, or calls the function of a computed object. Throws
 * a ServiceError.
 */
export async function findPage(
  request: PageRequest,
  source: PageSource,
  endMs = searchEndMs(),
): Promise<ListPage | DetailPage> {
  const { resource, options, read, identity, countsUpTo } = request;
  const question = resolveQuestion(resource, options, {
    companyId: identity.company.companyId,
    pid: identity.pid,
    pathParameters: read.request.pathParameters,
    language: read.language,
  });
  // Pages for people include all expandable parts and descriptions; programs must request these.
  const isForPeople = read.format === 'html';
  const plan = planQuestion(question, {
    language: read.language,
    withDescriptions: options.showDomainDescriptions || isForPeople,
    expandsAll: isForPeople,
    countsUpTo,
  });
  const found = isComputed(resource)
    ? { row: rowOf(plan.outline, computedObjects[resource.source.computed](askedOf(request, source))) }
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
 * Runs a plan on one server. Throws the errors of runStatement, overloaded if too many long statements are running, and
 * at `endMs` queryTooSlow, or databaseUnavailable if the server has not answered at all.
 * @param endMs undefined: no deadline
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
    // The statement is built only when its turn has come, because building a long text takes as long as a page.
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

/** Settles like the task, or throws `late` at `endMs`. If that time has already passed, the task is not started. */
async function before<Result>(
  endMs: number,
  task: () => Promise<Result>,
  late: () => never,
): Promise<Result> {
  const leftMs = endMs - performance.now();
  return leftMs <= 0 ? late() : await withDeadline(task(), leftMs, late);
}

/** The reader that work is done for, to share capacity fairly. */
export interface Asker extends Pick<Identity, 'pid' | 'clientId' | 'tokenId'> {
  readonly company: StatementCompany;
}

/**
 * The owners of work, to share capacity fairly: all tokens of a person have one share, and so have all tokens of a
 * client that acts for itself.
 */
export function ownersOf({ company, pid, clientId, tokenId }: Asker) {
  const client = clientId === null ? `token ${tokenId}` : `client ${clientId}`;
  return { company: company.key, reader: pid === null ? client : `person ${pid}` };
}

/**
 * The end of a wait that starts now, in the time base of performance.now().
 * @param endMs deadline of the answer; undefined: none
 */
function waitEndMs(endMs: number | undefined): number {
  return endMs === undefined
    ? Number.POSITIVE_INFINITY
    : Math.min(endMs, performance.now() + LONGEST_WAIT_MS);
}

/** Waits for the reader's turn. Throws overloaded if the turn has not come by `untilMs`. */
export async function enterLimiter(
  limiter: ConcurrencyLimiter,
  asker: Asker,
  untilMs = performance.now() + LONGEST_WAIT_MS,
): Promise<Leave> {
  const leave = await limiter.enter({ owners: ownersOf(asker), untilMs });
  if (typeof leave !== 'function') throw new ServiceError('overloaded');
  return leave;
}
