import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Leave, TurnedAway } from '@takt/runtime';
import type { BodyFault, BodyRoute } from './answer.js';
import type { Connections } from './connections.js';
import { SMALL_BODY_BYTES } from './limits.js';

/** As it was sent. `isInRoom`: what it takes up is counted. */
type ReadBody =
  | { readonly bytes: Buffer; readonly isInRoom: boolean; readonly fault?: undefined }
  /** `isLeft`: not all of it has been read. */
  | { readonly fault: BodyFault | 'full'; readonly isLeft: boolean };

interface ReadBodyOptions {
  readonly route: BodyRoute;
  readonly connections: Connections;
  /** Waits for room for so many bytes. */
  readonly enterRoom: (size: number, signal: AbortSignal) => Promise<Leave | TurnedAway>;
  /** Until when it is to have arrived, in the time of performance.now(). */
  readonly arrivesUntilMs: number;
  /** Why none of it will be used; undefined: nothing speaks against it so far. */
  readonly fault: BodyFault | undefined;
}

/** Size of a body as its client says; undefined: it comes in chunks, and there is no saying. */
export function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/** Calls once the answer has been handed over or the connection is gone. */
export function whenClosed(response: ServerResponse, call: () => void): void {
  if (response.destroyed) {
    call();
  } else {
    response.once('close', call);
  }
}

const BROKEN = 'broken';
const broken = new WeakSet<IncomingMessage>();

/** The body of the request will not come to its end, whether it is being read yet or not. */
export function breakBody(request: IncomingMessage): void {
  broken.add(request);
  request.emit(BROKEN);
}

/**
 * Reads a body to its end; never resolves if the connection ends before. A large one waits for room before
 * it is read, and stays with the system until then. One that nobody will use is read and thrown away where the route says
 * so, for many clients read no answer before they have sent all.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReadBodyOptions,
): Promise<ReadBody> {
  return new Promise((resolve) => takeBody(request, response, options, resolve));
}

function takeBody(
  request: IncomingMessage,
  response: ServerResponse,
  { route, connections, enterRoom, arrivesUntilMs, fault: earlyFault }: ReadBodyOptions,
  done: (body: ReadBody) => void,
): void {
  const { maxBytes, maxIgnoredBytes = 0 } = route;
  const declared = declaredBytes(request.headers);
  // Whoever is at fault may not be reading, but who asks first is: nothing of that body is needed.
  const asksFirst = request.headers.expect !== undefined;
  const chunks: Buffer[] = [];
  /** Aborted when no more of it is read; takes the question for room back. */
  const stopping = new AbortController();
  let bytes = 0;
  let fault: BodyFault | 'full' | undefined = earlyFault;
  let isInRoom = false;

  const stop = () => {
    stopping.abort();
    clearTimeout(timer);
    request.off('data', take).off('end', finish).off('close', stop).off(BROKEN, breakOff);
  };
  const finish = () => {
    stop();
    done(fault === undefined ? { bytes: Buffer.concat(chunks), isInRoom } : { fault, isLeft: false });
  };
  const leaveRest = (why: BodyFault | 'full') => {
    stop();
    // Without a listener and not flowing, what still comes would never be read to its end.
    request.resume();
    done({ fault: why, isLeft: true });
  };
  const breakOff = () => leaveRest('malformed');
  const fail = (why: BodyFault | 'full') => {
    fault = why;
    chunks.length = 0;
  };
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (fault === undefined && bytes > maxBytes) fail('tooLarge');
    if (fault !== undefined) {
      if (bytes > maxIgnoredBytes) leaveRest(fault);
      return;
    }
    if (!isInRoom) connections.hold(request, chunk.length);
    chunks.push(chunk);
    if (!isInRoom && bytes > SMALL_BODY_BYTES) void waitForRoom(maxBytes);
  };
  const goOn = () => {
    if (fault !== undefined && (asksFirst || (declared ?? 0) > maxIgnoredBytes || maxIgnoredBytes === 0)) {
      leaveRest(fault);
      return;
    }
    if (asksFirst && bytes === 0) response.writeContinue();
    request.on('data', take).resume();
  };
  const waitForRoom = async (size: number) => {
    request.off('data', take).pause();
    const outcome = await enterRoom(size, stopping.signal);
    if (typeof outcome === 'string') {
      fail('full');
    } else {
      isInRoom = true;
      whenClosed(response, outcome);
    }
    if (!stopping.signal.aborted) goOn();
  };
  const timer = setTimeout(() => leaveRest('late'), Math.max(0, arrivesUntilMs - performance.now()));
  request.on('end', finish).on('close', stop).on(BROKEN, breakOff);
  if (broken.has(request)) {
    breakOff();
  } else if (fault === undefined && (declared ?? 0) > SMALL_BODY_BYTES) {
    void waitForRoom(declared ?? maxBytes);
  } else {
    goOn();
  }
}
