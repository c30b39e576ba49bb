import type { FindToken } from './create-token-cache.js';

export interface TokenUseOptions {
  /** Takes the ids of the tokens that were used since the call before. */
  readonly note: (tokenIds: readonly number[]) => Promise<void>;
  /** How often; nothing depends on the last use being known sooner. */
  readonly everyMs?: number;
  /** Hears what `note` failed with; what it would have noted is noted the next time. */
  readonly onError: (error: unknown) => void;
}

/** Tokens that are remembered until they are noted, so that a database that is away costs no memory without bound. */
const MAX_TOKENS = 10_000;

/**
 * `find`, and a note of the tokens that it found, some 30 s after their use: one statement for all of them, where one a
 * request would make every read a write. `close` notes the rest.
 */
export function trackTokenUse(
  find: FindToken,
  { note, everyMs = 30_000, onError }: TokenUseOptions,
): { readonly findToken: FindToken; close(): Promise<void> } {
  const used = new Set<number>();
  let noting: Promise<void> = Promise.resolve();
  const noteUsed = async () => {
    if (used.size === 0) return;
    const ids = [...used];
    used.clear();
    try {
      await note(ids);
    } catch (error) {
      for (const id of ids) add(id);
      onError(error);
    }
  };
  const add = (id: number) => {
    if (used.size < MAX_TOKENS) used.add(id);
  };
  const timer = setInterval(() => {
    noting = noting.then(noteUsed);
  }, everyMs).unref();
  return {
    findToken: async (token) => {
      const grant = await find(token);
      if (grant !== undefined) add(grant.tokenId);
      return grant;
    },
    close: async () => {
      clearInterval(timer);
      await noting;
      await noteUsed();
    },
  };
}
