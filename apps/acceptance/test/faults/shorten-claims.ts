import type { Replacement } from './replace-source.js';

/** The jobs of a killed worker come back after about 2 s instead of 20. */
export const SHORT_CLAIMS: Replacement = {
  module: '/apps/worker/dist/src/consume-queue.js',
  edits: [
    { find: 'const CLAIM_MS = 15_000;', replace: 'const CLAIM_MS = 2_000;' },
    { find: 'const STALLED_CHECK_MS = 5_000;', replace: 'const STALLED_CHECK_MS = 500;' },
  ],
};
