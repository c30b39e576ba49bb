/**
 * Loaded into a process that is started with --expose-gc: what is resident then is what is held, and not when the engine
 * last found it worth its while to look.
 */
const EVERY_MS = 2_000;

setInterval(() => globalThis.gc?.(), EVERY_MS).unref();
