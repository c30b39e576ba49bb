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

/** Where an answer is read from. */
type ReadFrom = Pick<PageSource, 'pool' | 'replica'>;

/** What is asked for. `name` is equal only where the same data make the same answer. */
interface AnswerName {
  readonly name: string;
  readonly company: GrantedCompany;
}

/** Gives a kept answer, or what `make` makes of the rows of the server that it is given. Rejects as that does. */
export type AnswerKept = (
  asked: AnswerName,
  source: ReadFrom,
  make: (source: ReadFrom) => Promise<WholeAnswer>,
) => Promise<WholeAnswer>;

/** `sent`: a kept answer was true still; `changed`: data had changed since it was made; `made`: there was none yet. */
const keptOutcomes = ['sent', 'changed', 'made'] as const;
export type KeptOutcome = (typeof keptOutcomes)[number];

interface KeptMetrics {
  count(outcome: KeptOutcome): void;
  observeBytes(bytes: () => number): void;
}

interface KeepOptions {
  /** What is kept takes at most; the longest unasked goes first. */
  readonly maxBytes: number;
  readonly metrics?: KeptMetrics;
  readonly readStamp?: ReadStamp;
}

/** The stamp is undefined of what was asked for once, which has no answer either. */
interface Kept {
  readonly stamp: string | undefined;
  readonly answer: WholeAnswer | undefined;
}

const ASKED_ONCE: Kept = { stamp: undefined, answer: undefined };

/** An entry besides its body: name, headers, objects. */
const ENTRY_BYTES = 1_000;
const MARK_BYTES = 200;

/**
 * Keeps answers that were asked for twice, while nothing of the company changes. No answer is older than the request that
 * it is given to:
 *
 * Whoever changes data stamps them in the same transaction, so equal stamps are equal data (functions/note_changes.sql).
 * An answer is kept under the stamp that was read BEFORE its rows. Where a later request reads that stamp again, nothing
 * was committed between both reads; the rows were read in between, so they are those of now. What was committed between
 * stamp and rows changed the stamp, and the answer is never sent again. Both are read from one server: on another, rows
 * may be behind the stamp. And a stamp is never one that was asked for before its request came in.
 *
 * What is asked for once costs no stamp, nor does what is refused, however often.
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

/** A short body is a part of memory that it shares with others, all of which would be kept with it. */
function withOwnBytes(answer: WholeAnswer): WholeAnswer {
  const { body } = answer;
  if (!Buffer.isBuffer(body) || body.length === body.buffer.byteLength) return answer;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return { ...answer, body: own };
}

/**
 * An answer is made anew after any change in its company, and takes longer then. Who may not see plans is not to learn that
 * one was changed.
 */
const EVERY_TIME = {
  clientPermission: 'production-times',
  duty: 'read-production-times',
  furtherDuty: 'read-planned-times',
} as const;

/** An answer of a period says whether its last month is over. In every time zone, months end at a whole quarter of an hour. */
const QUARTER_HOUR_MS = 900_000;

/** One object stands for each set of fields that is hidden. */
const numbers = new WeakMap<ResourceFamily, number>();
let newest = 0;

/** True if an answer is for the person who asks alone: it is computed, or its rows are theirs. */
const isOfAsker = (resource: Resource) => isComputed(resource) || resource.source.isOfPerson === true;

/**
 * What an answer is kept under: all that it depends on besides data, which are the path and the parameters, what the Accept
 * header chose, the company, and the fields that who asks may see. undefined: it is not kept. Pages for people tell who
 * asks and when, so does what is computed; a jsonstream is asked for to be had in pieces, a file is read piece by piece; and
 * what came with a token in its address is nobody else's.
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
  // A path ends before its first question mark.
  const asksForPeriod = query.parameters.some(({ name }) => isOfPeriods(name));
  const quarter = asksForPeriod ? Math.floor(Date.now() / QUARTER_HOUR_MS) : '';
  return `${number} ${companyId} ${format} ${language} ${quarter} ${request.path}?${request.queryText}`;
}

type StampedCompany = Pick<GrantedCompany, 'companyId' | 'key'>;

/**
 * Where the data of a company stand on a server, theirs and what belongs to all, at a moment after this was called. Two
 * equal stamps mean that nothing was committed between them. undefined: not known. Rejects as runStatement does.
 */
type ReadStamp = (pool: Pool, company: StampedCompany) => Promise<string | undefined>;

const STAMP: Statement = {
  text: `SELECT bit_xor(stamp)::text AS stamp, current_setting('takt.company_key', true) AS "companyKey"
    FROM takt.company_changes WHERE company_id IN (0, $1)`,
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
  sent: Promise<unknown> | undefined;
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

/** Counts what comes of requests for answers that can be kept. */
export function createKeptMetrics(registry: Registry): KeptMetrics {
  const answers = new Counter({
    name: 'takt_kept_answers_total',
    help: 'Requests for answers that can be kept, by whether a kept one was sent, had been made of data that changed since, or was not there',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of keptOutcomes) answers.inc({ outcome }, 0);
  return {
    count: (outcome) => answers.inc({ outcome }),
    observeBytes: (bytes) => {
      new Gauge({
        name: 'takt_kept_answers_bytes',
        help: 'Memory that kept answers take',
        registers: [registry],
        collect() {
          this.set(bytes());
        },
      });
    },
  };
}
