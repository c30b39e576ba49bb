import { replaceSource } from './replace-source.js';
import { SHORT_CLAIMS } from './shorten-claims.js';

/** The job's handler hands the events over and does not wait until they are committed; claims are short besides. */
replaceSource([
  {
    ...SHORT_CLAIMS,
    edits: [
      ...SHORT_CLAIMS.edits,
      {
        find: 'await collector.submit(content.accepted)',
        replace: '(collector.submit(content.accepted).catch(() => undefined), [])',
      },
    ],
  },
]);
