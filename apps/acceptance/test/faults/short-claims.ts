import { replaceSource } from './replace-source.js';
import { SHORT_CLAIMS } from './shorten-claims.js';

/** No bug: only less waiting, to compare with the same and a bug. */
replaceSource([SHORT_CLAIMS]);
