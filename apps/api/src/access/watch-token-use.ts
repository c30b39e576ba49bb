import type { FindToken } from '@takt/access';
import type { Logger } from '@takt/runtime';

export interface TokenUseOptions {
  /** Writes down that tokens were used just now. */
  readonly note: (tokenIds: readonly number[]) => Promise<void>;
  readonly logger: Logger;
  readonly intervalMs?: number;
}

export interface TokenUse {
  /** `find`, of which each success is a use. */
  watch(find: FindToken): FindToken;
  /** Writes down what is not yet. */
  close(): Promise<void>;
}

const INTERVAL_MS = 30_000;
/** More are noted in the next round of their use: who looks at the last use does not count. */
const MAX_TOKENS = 10_000;

/**
 * Tells the database which tokens are in use, twice a minute for all together: a write for every request would cost as
 * much as the request. What cannot be written is lost, which says so in the log.
 */
export function watchTokenUse({ note, logger, intervalMs = INTERVAL_MS }: TokenUseOptions): TokenUse {
  let used = new Set<number>();
  const write = async () => {
    if (used.size === 0) return;
    const ids = [...used];
    used = new Set();
    await note(ids).catch((error: Error) => {
      logger.warn({ error: error.message }, 'the last use of tokens could not be noted');
    });
  };
  const timer = setInterval(() => void write(), intervalMs).unref();
  return {
    watch: (find) => async (token) => {
      const grant = await find(token);
      if (grant !== undefined && used.size < MAX_TOKENS) used.add(grant.tokenId);
      return grant;
    },
    close: () => {
      clearInterval(timer);
      return write();
    },
  };
}
