import type { Logger } from '@takt/runtime';
import type Koa from 'koa';

/** What a client that goes away looks like from here. */
const CLIENT_LEFT: readonly string[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/**
 * Stands in for Koa's own handler, which would write `Internal Server Error` without any of our headers. Errors of a
 * request are answered by answerErrors; what comes here is a connection that broke, or a body that broke off. It ends
 * the connection, so that no half document looks whole.
 */
export function breakOff(logger: Logger): (this: Koa.Context, error: unknown) => void {
  return function onError(error) {
    const { res, state } = this;
    if (error === null || error === undefined || res.destroyed) return;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const level = CLIENT_LEFT.includes(code) ? 'debug' : 'error';
    logger[level]({ requestId: state['request']?.id, error }, 'an answer broke off');
    res.destroy();
  };
}
