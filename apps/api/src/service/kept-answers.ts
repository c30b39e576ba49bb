import { createHash } from 'node:crypto';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { GrantedCompany } from '@takt/access';
import { isComputed, isOfPeriods, type Resource, type ResourceFamily } from '@takt/catalogue/resources';
import type { Database } from '@takt/database';
import type { WholeAnswer } from '@takt/http';
import { LRUCache } from 'lru-cache';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type Identity, mayRead } from '../access/establish-identity.js';
import { runStatement } from '../query/run-statement.js';
import type { Statement } from '../query/statement-cache.js';
import type { PageSource } from './find-page.js';
import type { ReadRequest } from './read-request.js';

type Pool = Database['pool'];

/** The servers from which the data of an answer may be read. */
type ReadFrom = Pick<PageSource, 'pool' | 'replica'>;

/**
 * Identifies a request whose answer can be cached. Two requests have the same `name` only if they get the same answer
 * from the same data.
 */
interface AnswerName {
  readonly name: string;
  readonly company: GrantedCompany;
}

/**
 * Returns a cached answer if it is still valid. Otherwise calls `make` with the server to read from, and returns its
 * result. Rejects if `make` rejects.
 */
export type AnswerKept = (
  answerName: AnswerName,
  source: ReadFrom,
  make: (source: ReadFrom) => Promise<WholeAnswer>,
) => Promise<WholeAnswer>;

/**
 * `sent`: the cached answer was still valid and was sent. `changed`: data had changed since the answer was cached.
 * `made`: no answer was cached.
 */
const keptOutcomes = ['sent', 'changed', 'made'] as const;
export type KeptOutcome = (typeof keptOutcomes)[number];

interface KeptMetrics {
  count(outcome: KeptOutcome): void;
  observeBytes(bytes: () => number): void;
}

interface KeepOptions {
  /**
   * The maximum size of the cache in bytes. If the cache becomes larger, the least recently used answers are dropped.
   */
  readonly maxBytes: number;
  readonly metrics?: KeptMetrics;
  readonly readStamp?: ReadStamp;
}

/** An entry of the cache. An entry without a stamp and an answer only records that the request came once. */
interface Kept {
  readonly stamp: string | undefined;
  readonly answer: WholeAnswer | undefined;
}

const ASKED_ONCE: Kept = { stamp: undefined, answer: undefined };

/** Estimated size in bytes of an entry without the body of its answer. */
const ENTRY_BYTES = 1_000;
const MARK_BYTES = 200;

/**
 * Caches the answers to requests that came at least twice, as long as no data of the company change. A cached answer is
 * never older than the request to which it is sent.
 * The cache relies on the stamp of a company: each change of data also changes the stamp, in the same transaction, so
 * equal stamps mean equal data (functions/note_changes.sql). An answer is stored with the stamp that was read BEFORE
 * its rows. If a later request reads the same stamp, nothing was committed between the two readings of the stamp. The
 * rows were read in between, so they are current. If a change was committed between reading the stamp and reading the
 * rows, the stamp has changed, so that answer is never sent again.
 * The stamp and the rows are read from the same server, because the rows of another server may be older than the stamp.
 * A request never uses a stamp whose reading started before the request arrived. No stamp is read for the first request
 * of its kind and for refused requests.
 */
export function keepAnswers({ maxBytes, metrics, readStamp = createStampReader() }: KeepOptions): AnswerKept {
  const answers = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ answer }) =>
      answer === undefined
        ? MARK_BYTES
        : ENTRY_BYTES + (Buffer.isBuffer(answer.body) ? answer.body.length : 0),
  });
  metrics?.observeBytes(() => answers.calculatedSize);
  return async ({ name, company }, source, make) => {
    const key = createHash('sha256').update(name).digest('base64');
    const known = answers.get(key);
    if (known === undefined) {
      metrics?.count('made');
      const answer = await make(source);
      if (!answers.has(key)) answers.set(key, ASKED_ONCE);
      return answer;
    }
    const pool = source.replica?.poolToRead() ?? source.pool;
    const stamp = await readStamp(pool, company);
    if (known.answer !== undefined && known.stamp === stamp) {
      metrics?.count('sent');
      return known.answer;
    }
    metrics?.count(known.answer === undefined ? 'made' : 'changed');
    const answer = await make({ pool, replica: undefined });
    if (stamp !== undefined) answers.set(key, { stamp, answer: withOwnBytes(answer) });
    return answer;
  };
}

/**
 * Copies a short body into memory of its own. A short body is a slice of a shared memory pool, so without the copy the
 * cache would keep the whole pool in memory.
 */
function withOwnBytes(answer: WholeAnswer): WholeAnswer {
  const { body } = answer;
  if (!Buffer.isBuffer(body) || body.length === body.buffer.byteLength) return answer;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return { ...answer, body: own };
}

/**
 * The rights that a reader needs to get cached answers. After any change in the company, an answer must be made again,
 * which takes longer. A reader who may not see planned times must not conclude from this delay that plans have changed.
 */
const EVERY_TIME = {
  clientPermission: 'production-times',
  duty: 'read-production-times',
  furtherDuty: 'read-planned-times',
} as const;

/**
 * The number of milliseconds in a quarter of an hour. An answer for a period tells whether its last month is over, so
 * the answer may change when a month ends. In every time zone a month ends at a full quarter of an hour.
 */
const QUARTER_HOUR_MS = 900_000;

/**
 * A number for each resource with a set of hidden fields. The object identifies the set, because restrictFamily returns
 * the same object for the same set.
 */
const numbers = new WeakMap<ResourceFamily, number>();
let newest = 0;

/**
 * True if an answer is for one reader only. This is so if the answer is computed, or if its rows belong to the reader.
 */
const isOfAsker = (resource: Resource) => isComputed(resource) || resource.source.isOfPerson === true;

/**
 * The key under which an answer is cached. It contains everything on which the answer depends apart from the data: the
 * path, the parameters, the format (which the Accept header may determine), the company, and the visible fields.
 * Returns undefined if the answer must not be cached: pages and computed objects show the reader and the time; a
 * jsonstream should arrive in pieces; a file is read in pieces; and an answer to an address with a token must not be
 * shared.
 */
export function nameToKeep(
  shown: ResourceFamily,
  { format, language, early, isExport, query, request }: ReadRequest,
  { company: { companyId }, ...held }: Pick<Identity, 'company' | 'permissions' | 'duties'>,
): string | undefined {
  if (!mayRead(held, EVERY_TIME)) return undefined;
  const isKept = (format === 'json' || format === 'xml') && !isExport && query.problem === undefined;
  if (!isKept || early.accessToken !== undefined || shown.versions.some(isOfAsker)) return undefined;
  const number = numbers.get(shown) ?? ++newest;
  numbers.set(shown, number);
  // The period may end at a quarter of an hour, so the key of an answer for a period contains the current quarter. The
  // path ends at the first question mark, so no two requests have the same key.
  const asksForPeriod = query.parameters.some(({ name }) => isOfPeriods(name));
  const quarter = asksForPeriod ? Math.floor(Date.now() / QUARTER_HOUR_MS) : '';
  return `${number} ${companyId} ${format} ${language} ${quarter} ${request.path}?${request.queryText}`;
}

type StampedCompany = Pick<GrantedCompany, 'companyId' | 'key'>;

/**
 * Reads the stamp of a company's data from a server. The stamp covers the data common to all companies too. It is read
 * at some moment after the call. Equal stamps mean that nothing was committed between the two readings. The result is
 * undefined if the stamp is unknown. Rejects as runStatement does.
 */
type ReadStamp = (pool: Pool, company: StampedCompany) => Promise<string | undefined>;

const STAMP: Statement = {
  text: `SELECT bit_xor(stamp)::text AS stamp, current_setting('takt.company_key', true) AS "companyKey"
    FROM takt.company_changes WHERE company_id IN (0, $1)`,
  name: 'takt_stamp',
  canBeNarrowed: false,
  bind: ({ companyId }) => [companyId],
};

/**
 * The maximum time that a statement waits for the previous one. The limit is needed because the previous statement may
 * hang.
 */
const LONGEST_WAIT_MS = 10;

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** The state of stamp readings for one company on one server. */
interface Standing {
  stamp: string | undefined;
  pauseMs: number;
  pausedUntilMs: number;
  /** The next reading of the stamp. Its statement has not been sent yet, so further callers may share this reading. */
  joinable: Promise<string | undefined> | undefined;
  /** The latest reading whose statement has been sent, until it is answered. */
  sent: Promise<unknown> | undefined;
}

/**
 * Creates a reader of stamps. Callers share statements: all callers that arrive while a statement is running, or in the
 * same turn of the event loop, get the result of the next statement. This statement is sent after the last of these
 * callers has called. So a few statements are enough for all callers under load.
 * If data change all the time, nothing can be cached. Then the reader pauses and returns undefined; each pause is twice
 * as long as the one before.
 * @param longestPauseMs the longest pause; 0 for no pauses
 */
export function createStampReader(longestPauseMs = LONGEST_PAUSE_MS): ReadStamp {
  const standings = new WeakMap<Pool, Map<string, Standing>>();
  const standingOf = (pool: Pool, { key }: StampedCompany): Standing => {
    const ofPool = standings.get(pool) ?? new Map<string, Standing>();
    standings.set(pool, ofPool);
    const known = ofPool.get(key) ?? {
      stamp: undefined,
      pauseMs: 0,
      pausedUntilMs: 0,
      joinable: undefined,
      sent: undefined,
    };
    ofPool.set(key, known);
    return known;
  };
  const ask = async (pool: Pool, company: StampedCompany, standing: Standing) => {
    await (standing.sent === undefined
      ? setImmediate()
      : Promise.race([standing.sent, delay(LONGEST_WAIT_MS, undefined, { ref: false })]));
    standing.joinable = undefined;
    const { companyId } = company;
    const reading = runStatement<{ readonly stamp: string | null }>(pool, company, STAMP, { companyId });
    const sent = reading.then(ignore, ignore).then(() => {
      if (standing.sent === sent) standing.sent = undefined;
    });
    standing.sent = sent;
    const stamp = (await reading)[0]?.stamp ?? undefined;
    const isChanged = standing.stamp !== undefined && standing.stamp !== stamp;
    standing.pauseMs = isChanged
      ? Math.min(Math.max(2 * standing.pauseMs, FIRST_PAUSE_MS), longestPauseMs)
      : 0;
    standing.pausedUntilMs = performance.now() + standing.pauseMs;
    standing.stamp = stamp;
    return stamp;
  };
  return async (pool, company) => {
    const standing = standingOf(pool, company);
    if (performance.now() < standing.pausedUntilMs) return undefined;
    standing.joinable ??= ask(pool, company, standing);
    return await standing.joinable;
  };
}

const ignore = () => undefined;

/** Creates the metrics of the answer cache, which count cacheable requests by their outcome. */
export function createKeptMetrics(registry: Registry): KeptMetrics {
  const answers = new Counter({
    name: 'takt_kept_answers_total',
    help: 'Cacheable requests by outcome: a cached answer was sent, the cached answer was outdated, or there was none',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of keptOutcomes) answers.inc({ outcome }, 0);
  return {
    count: (outcome) => answers.inc({ outcome }),
    observeBytes: (bytes) => {
      new Gauge({
        name: 'takt_kept_answers_bytes',
        help: 'Memory of the answer cache',
        registers: [registry],
        collect() {
          this.set(bytes());
        },
      });
    },
  };
}
