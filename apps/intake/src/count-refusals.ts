import type { ServiceError } from '@takt/catalogue/errors';
import { noteRefusals, type RefusalCount, type RefusalReason } from '@takt/rejections/refusals';
import { type Closeable, createWriteBuffer, type Logger } from '@takt/run';
import type pg from 'pg';
import type { InvalidEvent } from './event-errors.js';

/** Counts what is refused by producer and reason, for the dashboard. */
export interface RefusalCounter extends Closeable {
  /** Counts invalid events, each by the first rule that it breaks. */
  countInvalid(token: number, invalid: readonly InvalidEvent[]): void;
  /** Counts events or requests that were refused with this error. */
  count(token: number, code: ServiceError['code'], times?: number): void;
}

interface RefusalCounterOptions {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** Time in milliseconds between two statements that store the counts. Default 5,000. */
  readonly everyMs?: number;
}

/** Maximum number of producers and reasons between two statements. There are some 200 reasons. */
const MAX_COUNTS = 5_000;

/**
 * Opens the counter. It stores the counts every few seconds in one statement, so that refusing costs no round trip. An
 * intake that is killed loses the counts of the last seconds.
 */
export function openRefusalCounter(options: RefusalCounterOptions): RefusalCounter {
  const { pool, logger, everyMs = 5_000 } = options;
  const counts = createWriteBuffer<string, RefusalCount>({
    write: (added) => noteRefusals(pool, added),
    everyMs,
    maxEntries: MAX_COUNTS,
    merge: (known, added) => ({ ...known, times: known.times + added.times }),
    onError: (error) => logger.warn({ error: String(error) }, 'the numbers of refusals were not stored'),
  });
  const add = (token: number, error: RefusalReason, times: number) => {
    const { code, broken } = error;
    const reason = broken === undefined ? code : `${code}: ${broken.field} ${JSON.stringify(broken.rule)}`;
    counts.add(`${token} ${reason}`, () => ({ token, reason, error, times }));
  };
  return {
    count: (token, code, times = 1) => add(token, { code }, times),
    countInvalid: (token, invalid) => {
      for (const { problems } of invalid) {
        const [first] = problems;
        if (first === undefined) continue;
        add(token, { code: 'invalidEvent', broken: { field: first.field, rule: first.words.rule } }, 1);
      }
    },
    close: counts.close,
  };
}
