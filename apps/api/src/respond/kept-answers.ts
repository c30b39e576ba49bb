import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { GrantedCompany } from '@takt/access';
import { isComputed, isOfPeriods, type Resource, type ResourceFamily } from '@takt/catalogue/resources';
import { mayRead } from '@takt/catalogue/rights';
import type { Database } from '@takt/database';
import type { WholeAnswer } from '@takt/http';
import { LRUCache } from 'lru-cache';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Identity } from '../parse/establish-identity.js';
import type { ReadRequest } from '../parse/read-request.js';
import { runStatement } from '../sql/run-statement.js';
import type { Statement } from '../sql/statement-cache.js';
import type { PageSource } from './find-page.js';

type Pool = Database['pool'];
/** The servers from which the data of an answer may be read. */
type ReadFrom = Pick<PageSource, 'pool' | 'replica'>;
type StampedCompany = Pick<GrantedCompany, 'companyId' | 'key'>;

/**
 * Returns a cached answer if it is still valid. Otherwise calls `make` with the server to read from, and returns its
 * result. Two requests have the same `name` only if they get the same answer from the same data.
 */
export type AnswerKept = (
  request: { readonly name: string; readonly company: GrantedCompany },
  source: ReadFrom,
  make: (source: ReadFrom) => Promise<WholeAnswer>,
) => Promise<WholeAnswer>;

/** `sent`: the cached answer was valid. `changed`: data had changed since. `made`: no answer was cached. */
const keptOutcomes = ['sent', 'changed', 'made'] as const;
export type KeptOutcome = (typeof keptOutcomes)[number];

interface KeptMetrics {
  count(outcome: KeptOutcome): void;
  observeBytes(bytes: () => number): void;
}

interface KeepOptions {
  /** If the cache becomes larger than this, the least recently used answers are dropped. */
  readonly maxBytes: number;
  readonly metrics?: KeptMetrics;
  readonly readStamp?: ReadStamp;
}

/** An entry of the cache. Without an answer it only records that the request came once. */
interface Kept {
  readonly stamp?: string;
  readonly answer?: WholeAnswer;
}

/** Estimated size in bytes of an entry without its name and the body of its answer. */
const ENTRY_BYTES = 500;

/**
 * Caches the answers to requests that came at least twice, as long as no data of the company change. A cached answer is
 * never older than the request to which it is sent.
 * Each change of data also changes the stamp of the company, in the same transaction (functions/note_changes.sql). An
 * answer is stored with the stamp that was read BEFORE its rows. If a later request reads the same stamp, nothing was
 * committed in between, so the rows are current. Stamp and rows are read from the same server, because the rows of
 * another server may be older than the stamp.
 */
export function keepAnswers({ maxBytes, metrics, readStamp = createStampReader() }: KeepOptions): AnswerKept {
  const answers = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    // A short body is a slice of a shared buffer, and keeps all of it in memory.
    sizeCalculation: ({ answer }, name) =>
      ENTRY_BYTES + 2 * name.length + (Buffer.isBuffer(answer?.body) ? answer.body.buffer.byteLength : 0),
  });
  metrics?.observeBytes(() => answers.calculatedSize);
  return async ({ name, company }, source, make) => {
    const known = answers.get(name);
    if (known === undefined) {
      metrics?.count('made');
      const answer = await make(source);
      if (!answers.has(name)) answers.set(name, {});
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
    if (stamp !== undefined) answers.set(name, { stamp, answer });
    return answer;
  };
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

/** In every time zone a month ends at a full quarter of an hour. */
const QUARTER_HOUR_MS = 900_000;

const numbers = new WeakMap<Resource | ResourceFamily, number>();
let newest = 0;

/** Returns a number for each set of visible fields. restrictFamily returns the same object for the same set. */
export function numberOf(shown: Resource | ResourceFamily): number {
  const number = numbers.get(shown) ?? ++newest;
  numbers.set(shown, number);
  return number;
}

const isOfAsker = (resource: Resource) => isComputed(resource) || resource.source.isOfPerson === true;

/**
 * Returns the name of a request: everything on which its answer depends apart from the data. Undefined if the answer
 * must not be cached: pages and computed objects show the reader and the time; a jsonstream and a file arrive in
 * pieces; and an answer to an address with a token must not be shared.
 */
export function nameToKeep(
  shown: ResourceFamily,
  { format, language, early, isExport, query, request }: ReadRequest,
  { company: { companyId }, ...held }: Pick<Identity, 'company' | 'permissions' | 'duties'>,
): string | undefined {
  if (!mayRead(held, EVERY_TIME)) return undefined;
  const isKept = (format === 'json' || format === 'xml') && !isExport && query.problem === undefined;
  if (!isKept || early.accessToken !== undefined || shown.versions.some(isOfAsker)) return undefined;
  // An answer for a period tells whether its last month is over.
  const asksForPeriod = query.parameters.some(({ name }) => isOfPeriods(name));
  const quarter = asksForPeriod ? Math.floor(Date.now() / QUARTER_HOUR_MS) : '';
  // The path ends at the first question mark, so no two requests have the same name.
  return `${numberOf(shown)} ${companyId} ${format} ${language} ${quarter} ${request.path}?${request.queryText}`;
}

/** Reads the stamp of the company's data, at some moment after the call. Undefined if the company has none. */
type ReadStamp = (pool: Pool, company: StampedCompany) => Promise<string | undefined>;

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
