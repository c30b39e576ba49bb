import { createHash } from 'node:crypto';
import type { GrantedCompany } from '@takt/access';
import type { WholeAnswer } from '@takt/http';
import { LRUCache } from 'lru-cache';
import type { PageSource } from '../service/find-page.js';
import type { KeptMetrics, KeptOutcome } from './kept-metrics.js';
import { createStampReader, type ReadStamp } from './read-stamp.js';

/** What is asked for, all that its answer depends on besides data. */
export interface AskedAnswer {
  /** Equal only where the same data make the same answer. */
  readonly name: string;
  readonly company: GrantedCompany;
  /** Whether the client has an answer to compare with. */
  readonly isConditional: boolean;
}

/** Where an answer is read from. */
export type ReadFrom = Pick<PageSource, 'pool' | 'replica'>;

/** Gives a kept answer, or what `make` makes of the rows of the server that it is given. Rejects as that does. */
export type AnswerKept = (
  asked: AskedAnswer,
  source: ReadFrom,
  make: (source: ReadFrom) => Promise<WholeAnswer>,
) => Promise<WholeAnswer>;

interface Kept {
  readonly stamp: string;
  readonly answer: WholeAnswer;
}

/** Stands for an answer that was asked for once. */
const ASKED_ONCE = undefined;

/** Of an entry besides its body: name, headers, objects. */
const ENTRY_BYTES = 1_000;
const MARK_BYTES = 200;

export interface KeepOptions {
  /** What is kept takes at most; the longest unasked goes first. */
  readonly maxBytes: number;
  readonly metrics?: KeptMetrics;
  readonly readStamp?: ReadStamp;
}

/**
 * Keeps answers that were asked for twice, or by a client that has one, while nothing of the company changes. No answer is
 * older than the request that it is given to:
 *
 * Whoever changes data stamps them in the same transaction, so equal stamps are equal data (functions/note_changes.sql).
 * An answer is kept under the stamp that was read BEFORE its rows. Where a later request reads that stamp again, nothing
 * was committed between both reads; the rows were read in between, so they are those of now. What was committed between
 * stamp and rows changed the stamp, and the answer is never sent again. Both are read from one server: on another, rows
 * may be behind the stamp. And a stamp is never one that was asked for before its request came in.
 */
export function keepAnswers({ maxBytes, metrics, readStamp = createStampReader() }: KeepOptions): AnswerKept {
  const answers = new LRUCache<string, { readonly kept: Kept | typeof ASKED_ONCE }>({ maxSize: maxBytes });
  metrics?.observeBytes(() => answers.calculatedSize);
  const keep = (name: string, kept: Kept | typeof ASKED_ONCE) => {
    const size = kept === undefined ? MARK_BYTES : ENTRY_BYTES + lengthOf(kept.answer);
    answers.set(name, { kept }, { size });
  };
  return async ({ name, company, isConditional }, source, make) => {
    const key = createHash('sha256').update(name).digest('base64');
    const known = answers.get(key);
    if (known === undefined && !isConditional) {
      metrics?.count('made');
      keep(key, ASKED_ONCE);
      return await make(source);
    }
    const pool = source.replica?.poolToRead() ?? source.pool;
    const stamp = await readStamp(pool, company);
    const kept = known?.kept;
    metrics?.count(outcomeOf(kept, stamp));
    if (kept !== undefined && kept.stamp === stamp) return kept.answer;
    const answer = await make({ pool, replica: undefined });
    if (stamp !== undefined) keep(key, { stamp, answer: withOwnBytes(answer) });
    return answer;
  };
}

function outcomeOf(kept: Kept | undefined, stamp: string | undefined): KeptOutcome {
  if (kept === undefined) return 'made';
  return kept.stamp === stamp ? 'sent' : 'changed';
}

function lengthOf({ body }: WholeAnswer): number {
  return Buffer.isBuffer(body) ? body.length : 0;
}

/** A short body is a part of memory that it shares with others, all of which would be kept with it. */
function withOwnBytes(answer: WholeAnswer): WholeAnswer {
  const { body } = answer;
  if (!Buffer.isBuffer(body) || body.length === body.buffer.byteLength) return answer;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return { ...answer, body: own };
}
