/** Path of the one script of the pages; see assets/live.js. */
export const LIVE_SCRIPT = '/live.js';
