import { replaceSource } from './replace-source.js';
import { shortenClaims } from './shorten-claims.js';

/** No bug: less waiting, but with claims that a worker with much to do on a machine under load still renews in time. */
replaceSource([shortenClaims(4_000, 1_000)]);
