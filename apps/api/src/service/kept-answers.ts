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

/** The servers that an answer may be read from. */
type ReadFrom = Pick<PageSource, 'pool' | 'replica'>;

/** Identifies a cacheable request. Two requests have the same `name` only if the same data give the same answer. */
interface AnswerName {
  readonly name: string;
  readonly company: GrantedCompany;
}

/** Returns a cached answer, or the result of calling `make` with the given server. Rejects if `make` rejects. */
export type AnswerKept = (
  answerName: AnswerName,
  source: ReadFrom,
  make: (source: ReadFrom) => Promise<WholeAnswer>,
) => Promise<WholeAnswer>;

/**
 * `sent`: the cached answer was still valid; `changed`: data had changed since it was cached; `made`: no answer was
 * cached.
 */
const keptOutcomes = ['sent', 'changed', 'made'] as const;
export type KeptOutcome = (typeof keptOutcomes)[number];

interface KeptMetrics {
  count(outcome: KeptOutcome): void;
  observeBytes(bytes: () => number): void;
}

interface KeepOptions {
  /** Limit of the cache; beyond it, the least recently used answer is dropped first. */
  readonly maxBytes: number;
  readonly metrics?: KeptMetrics;
  readonly readStamp?: ReadStamp;
}

/** A cache entry. Without a stamp and an answer, it only records that the request came once. */
interface Kept {
  readonly stamp: string | undefined;
  readonly answer: WholeAnswer | undefined;
}

const ASKED_ONCE: Kept = { stamp: undefined, answer: undefined };

/** Estimated size of an entry without its body. */
const ENTRY_BYTES = 1_000;
const MARK_BYTES = 200;

/**
 * Caches answers that were requested twice, as long as no data of the company change. A cached answer is never older
 * than the request it is sent to. Each change of data also changes the company's stamp, in the same transaction, so
 * equal stamps mean equal data (functions/note_changes.sql). An answer is stored under the stamp read BEFORE its rows.
 * If a later request reads the same stamp, nothing was committed between the two readings of the stamp; the rows were
 * read in between, so they are current. A commit between reading the stamp and reading the rows changes the stamp, so
 * that answer is never sent again. Stamp and rows are read from the same server, because the rows of another server may
 * be older than the stamp. And a request never uses a stamp whose reading started before the request arrived. First
 * requests and refused requests read no stamp.
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

/** Copies a short body, which is a slice of a pool: the cache would keep the whole pool in memory. */
function withOwnBytes(answer: WholeAnswer): WholeAnswer {
  const { body } = answer;
  if (!Buffer.isBuffer(body) || body.length === body.buffer.byteLength) return answer;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return { ...answer, body: own };
}

/**
 * The rights that are needed for cached answers. After any change in the company an answer is made again, which takes
 * longer: readers without planned times must not learn from this that plans have changed.
 */
const EVERY_TIME = {
  clientPermission: 'production-times',
  duty: 'read-production-times',
  furtherDuty: 'read-planned-times',
} as const;

/**
 * An answer for a period tells if the last month is over, so it may change when a month ends. In all time zones that is
 * at a full quarter of an hour.
 */
const QUARTER_HOUR_MS = 900_000;

/** A number for each set of hidden fields: restrictFamily returns the same object for the same set. */
const numbers = new WeakMap<ResourceFamily, number>();
let newest = 0;

/** True if an answer is for one reader only, because it is computed, or because its rows belong to the reader. */
const isOfAsker = (resource: Resource) => isComputed(resource) || resource.source.isOfPerson === true;

/**
 * The cache key: all that the answer depends on besides data, which is path, parameters, format by the Accept header,
 * company, and visible fields. undefined if the answer is not cached: pages and computed objects show the reader and
 * the time; a jsonstream should arrive in pieces; a file is read in pieces; and an address with a token is not shared.
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
  // The path contains no question mark, so the end of the path in the key is clear.
  const asksForPeriod = query.parameters.some(({ name }) => isOfPeriods(name));
  const quarter = asksForPeriod ? Math.floor(Date.now() / QUARTER_HOUR_MS) : '';
  return `${number} ${companyId} ${format} ${language} ${quarter} ${request.path}?${request.queryText}`;
}

type StampedCompany = Pick<GrantedCompany, 'companyId' | 'key'>;

/**
 * Reads the stamp of a company's data on a server, which covers data common to all companies too, at a moment after the
 * call. Equal stamps mean that nothing was committed in between. undefined: unknown. Rejects like runStatement.
 */
type ReadStamp = (pool: Pool, company: StampedCompany) => Promise<string | undefined>;

const STAMP: Statement = {
  text: `SELECT bit_xor(stamp)::text AS stamp, current_setting('takt.company_key', true) AS "companyKey"
    FROM takt.company_changes WHERE company_id IN (0, $1)`,
  name: 'takt_stamp',
  canBeNarrowed: false,
  bind: ({ companyId }) => [companyId],
};

/** Longest wait of a statement for the previous one, which may hang. */
const LONGEST_WAIT_MS = 10;

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** The state of a company on a server. */
interface Standing {
  stamp: string | undefined;
  pauseMs: number;
  pausedUntilMs: number;
  /** The next reading, which has not been sent yet, so that new callers may share it. */
  joinable: Promise<string | undefined> | undefined;
  /** The last reading that has been sent but not answered. */
  sent: Promise<unknown> | undefined;
}

/**
 * Returns a reader of stamps. Callers during a statement, or in the same turn of the event loop, share the next
 * statement, which is sent after the last of them has called: so under load a few statements serve all callers. If data
 * change all the time, nothing can be cached; then the reader pauses, twice as long each time, and returns undefined.
 * @param longestPauseMs 0: no pauses
 */
export function createStampReader(longestPauseMs = LONGEST_PAUSE_MS): ReadStamp {
  const standings = new WeakMap<Pool, Map<string, Standing>>();
  const standingOf = (pool: Pool, { key }: StampedCompany): Standing => {
    const ofPool = standings.get(pool) ?? new Map<string, Standing>();
    standings.set(pool, ofPool);
    const known = ofPool.get(key) ?? {
      ...{ stamp: undefined, pauseMs: 0, pausedUntilMs: 0 },
      ...{ joinable: undefined, sent: undefined },
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

/** Counts the outcomes of cacheable requests. */
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
