import type { GrantedCompany } from '@takt/access';
import { isComputed, isOfPeriods, type Resource, type ResourceFamily } from '@takt/catalogue/resources';
import { mayRead } from '@takt/catalogue/rights';
import type { WholeAnswer } from '@takt/http';
import { LRUCache } from 'lru-cache';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Identity } from '../parse/establish-identity.js';
import type { ReadRequest } from '../parse/read-request.js';
import { createStampReader, EVERY_TIME, numberOf, quarterHour, type ReadStamp } from './data-stamp.js';
import type { PageSource } from './find-page.js';

/** The servers from which the data of an answer may be read. */
type ReadFrom = Pick<PageSource, 'pool' | 'replica'>;

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
  const quarter = asksForPeriod ? quarterHour() : '';
  // The path ends at the first question mark, so no two requests have the same name.
  return `${numberOf(shown)} ${companyId} ${format} ${language} ${quarter} ${request.path}?${request.queryText}`;
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
