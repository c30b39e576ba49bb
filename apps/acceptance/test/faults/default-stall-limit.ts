import { replaceSource } from './replace-source.js';
import { SHORT_CLAIMS } from './shorten-claims.js';

/** A job may lose its worker once, as BullMQ has it by default; claims are short besides. */
replaceSource([
  SHORT_CLAIMS,
  {
    module: '/packages/events/dist/src/queue/queue-backend.js',
    edits: [{ find: 'const MAX_STALLED_COUNT = 1_000;', replace: 'const MAX_STALLED_COUNT = 1;' }],
  },
]);
