import type { Replacement } from './replace-source.js';

/** Lets a claim of the workers last so long, and looks so often for those that have run out. */
export function shortenClaims(claimMs: number, checkMs: number): Replacement {
  return {
    module: '/apps/worker/dist/src/consume-queue.js',
    edits: [
      { find: 'const CLAIM_MS = 15_000;', replace: `const CLAIM_MS = ${claimMs};` },
      { find: 'const STALLED_CHECK_MS = 5_000;', replace: `const STALLED_CHECK_MS = ${checkMs};` },
    ],
  };
}

/** The jobs of a killed worker come back after about 2 s instead of 20. */
export const SHORT_CLAIMS = shortenClaims(2_000, 500);
