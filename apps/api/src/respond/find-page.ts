import { ServiceError } from '@takt/catalogue/errors';
import { fillPath, isComputed, type Resource } from '@takt/catalogue/resources';
import type { Database } from '@takt/database';
import type { QueryOptions } from '@takt/query';
import { ConcurrencyLimiter, type Leave, withDeadline } from '@takt/run';
import { computedObjects } from '../computed/computed-objects.js';
import { type ComputedRequest, rowOf } from '../computed/computed-row.js';
import type { Identity } from '../parse/establish-identity.js';
import type { ReadRequest } from '../parse/read-request.js';
import { type ListPlan, type Plan, planQuestion } from '../plan/plan.js';
import { resolveQuestion } from '../plan/resolve-question.js';
import type { DetailPage, ListPage } from '../representations/writer.js';
import { readPage } from '../sql/read-page.js';
import { type FoundRow, pageOf } from '../sql/result.js';
import { LONGEST_WAIT_MS, runStatement, type StatementCompany } from '../sql/run-statement.js';
import { mayTakeLong, type StatementOf, statementShapeOf } from '../sql/statement-cache.js';
import type { ReplicaWatch } from '../sql/watch-replica.js';
import { readWithKeptTotals, uncounted } from './kept-totals.js';
import { pageAddressOf } from './writing-context.js';

/** The servers, limits and settings with which the data of pages are read. */
export interface PageSource {
  /** The pool of the primary. It is for writing, and for reads that must not come from a replica. */
  readonly pool: Database['pool'];
  readonly replica?: Pick<ReplicaWatch, 'poolToRead' | 'describe'> | undefined;
  readonly statementOf: StatementOf;
  readonly longStatements: ConcurrencyLimiter;
  /** Base URL of all links. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
}

/** A request for a resource. The resource is already restricted to the fields that the reader's duties allow. */
export interface PageRequest {
  readonly resource: Resource;
  readonly options: QueryOptions;
  readonly read: ReadRequest;
  readonly identity: Identity;
  /** The limit up to which rows are counted; see PlanOptions. */
  readonly countsUpTo?: number | undefined;
  /** The maximum number of rows, if it is larger than that of a page; see PlanOptions. */
  readonly mostRows?: number | undefined;
  /** True if the size and the totals may be kept from an earlier page of the same list. */
  readonly keepsTotals?: boolean;
}

/**
 * The maximum time for all statements of a page together. It must be shorter than the deadline of the whole request:
 * the error at that deadline would only say that the database did not answer.
 */
const SEARCH_DEADLINE_MS = 2_300;

/** The time at which a search that starts now must end, in the time of performance.now(). */
export const searchEndMs = () => performance.now() + SEARCH_DEADLINE_MS;

/**
 * Limits the statements that may take long. At most six of the eight connections are used for such statements, so two
 * stay free for fast ones. One company may use four of the six, and one reader three, so that other companies and
 * colleagues also get a turn. The number of waiting statements is bounded because the number of requests in work is
 * limited.
 */
export function createLongStatements(): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    capacity: 6,
    shares: { company: 4, reader: 3 },
    waitingShares: { company: 64 },
  });
}

/**
 * Finds the data for a request. It resolves the request, plans a statement and runs it; for a computed object it calls
 * the object's function instead. Throws a ServiceError.
 */
export async function findPage(
  request: PageRequest,
  source: PageSource,
  endMs = searchEndMs(),
): Promise<ListPage | DetailPage> {
  const { resource, options, read, identity, countsUpTo, mostRows } = request;
  const question = resolveQuestion(resource, options, {
    companyId: identity.company.companyId,
    pid: identity.pid,
    pathParameters: read.request.pathParameters,
    language: read.language,
  });
  // A page for people includes all expandable parts and all descriptions. A program must request these explicitly.
  const isForPeople = read.format === 'html';
  const planOptions = {
    language: read.language,
    withDescriptions: options.showDomainDescriptions || isForPeople,
    expandsAll: isForPeople,
    countsUpTo,
    mostRows,
  };
  const plan = planQuestion(question, planOptions);
  const readKept = (counted: ListPlan) => {
    // The stamp and the rows come from the same server.
    const pool = source.replica?.poolToRead() ?? source.pool;
    return readWithKeptTotals(counted, identity, pool, (isCounted) =>
      runPlan(
        isCounted ? counted : planQuestion(uncounted(counted.question), planOptions),
        identity,
        { ...source, pool, replica: undefined },
        endMs,
      ),
    );
  };
  const found = isComputed(resource)
    ? {
        row: rowOf(
          plan.outline,
          computedObjects[resource.source.computed](computedRequestOf(request, source)),
        ),
      }
    : plan.kind === 'list' && request.keepsTotals === true
      ? await readKept(plan)
      : await runPlan(plan, identity, source, endMs);
  const path = fillPath(resource.path, question.identifiers);
  const addressOf = pageAddressOf(source.baseUrl + path, read.query.parameters, options.own);
  return pageOf(plan, found, addressOf);
}

function computedRequestOf(
  { options, read, identity }: PageRequest,
  { baseUrl }: PageSource,
): ComputedRequest {
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
 * Runs a plan, with all its statements on the same server. Throws the errors of runStatement, and overloaded if too
 * many long statements are running. At `endMs` it throws queryTooSlow, or databaseUnavailable if the server has not
 * answered any statement.
 * @param endMs the deadline; undefined for no deadline
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
    // The text of the statement is built only when its turn has come, because building a long text takes as much time
    // as a whole page.
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

/**
 * Settles as the task does, but calls `late` to throw an error if the task is not finished at `endMs`. If this time has
 * already passed, the task is not started at all.
 */
async function before<Result>(
  endMs: number,
  task: () => Promise<Result>,
  late: () => never,
): Promise<Result> {
  const leftMs = endMs - performance.now();
  return leftMs <= 0 ? late() : await withDeadline(task(), leftMs, late);
}

/** The reader for whom work is done. It is needed to share the capacity fairly between readers. */
export interface Asker extends Pick<Identity, 'pid' | 'clientId' | 'tokenId'> {
  readonly company: StatementCompany;
}

/**
 * The company and the reader to whose shares of the capacity some work is charged. All tokens of a person have one
 * share together; likewise all tokens of a client that acts for itself.
 */
export function ownersOf({ company, pid, clientId, tokenId }: Asker) {
  const client = clientId === null ? `token ${tokenId}` : `client ${clientId}`;
  return { company: company.key, reader: pid === null ? client : `person ${pid}` };
}

/**
 * The time at which a wait that starts now must end, in the time of performance.now().
 * @param endMs the deadline of the answer; undefined for no deadline
 */
function waitEndMs(endMs: number | undefined): number {
  return endMs === undefined
    ? Number.POSITIVE_INFINITY
    : Math.min(endMs, performance.now() + LONGEST_WAIT_MS);
}

/** Waits until it is the reader's turn. Throws overloaded if the turn has not come by `untilMs`. */
export async function enterLimiter(
  limiter: ConcurrencyLimiter,
  asker: Asker,
  untilMs = performance.now() + LONGEST_WAIT_MS,
): Promise<Leave> {
  const leave = await limiter.enter({ owners: ownersOf(asker), untilMs });
  if (typeof leave !== 'function') throw new ServiceError('overloaded');
  return leave;
}
