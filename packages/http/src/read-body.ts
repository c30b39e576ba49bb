import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Entry, Turnstile } from '@takt/runtime';
import type { BodyFault, BodyRoute } from './answer.js';
import type { Connections } from './connections.js';
import { SMALL_BODY_BYTES } from './limits.js';

/** As it was sent. `isInRoom`: what it takes up is counted. */
export type ReadBody =
  | { readonly bytes: Buffer; readonly isInRoom: boolean }
  /** `isLeft`: not all of it has been read. */
  | { readonly fault: BodyFault | 'full'; readonly isLeft: boolean };

export interface ReadBodyOptions {
  readonly route: BodyRoute;
  readonly connections: Connections;
  /** In bytes. */
  readonly room: Turnstile;
  /** Whose share of the room it takes. */
  readonly owners: NonNullable<Entry['owners']>;
  /** What a large one takes up, where it is not what its client says; undefined: that. */
  readonly roomBytes: number | undefined;
  /** Until when it may wait for room, and until when it is to have arrived, in the time of performance.now(). */
  readonly roomUntilMs: number;
  readonly arrivesUntilMs: number;
  /** Why none of it will be used; undefined: nothing speaks against it so far. */
  readonly fault: BodyFault | undefined;
  /** Tells a client that asks first to go on. */
  readonly goOn: () => void;
}

/** Size of a body as its client says; undefined: it comes in chunks, and there is no saying. */
export function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/**
 * Reads a body to its end; never resolves if the connection ends before. A large one waits for room before
 * it is read, and stays with the system until then. One that nobody will use is read and thrown away where the route says
 * so, for many clients read no answer before they have sent all.
 */
export function readBody(request: IncomingMessage, options: ReadBodyOptions): Promise<ReadBody> {
  return new Promise((resolve) => takeBody(request, options, resolve));
}

function takeBody(request: IncomingMessage, options: ReadBodyOptions, done: (body: ReadBody) => void): void {
  const { route, connections, room, owners } = options;
  const { maxBytes, maxIgnoredBytes = 0 } = route;
  const declared = declaredBytes(request.headers);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let fault: BodyFault | 'full' | undefined = options.fault;
  let isInRoom = false;
  let isStopped = false;
  /** Takes the question for room back. */
  let waiting: AbortController | undefined;

  const stop = () => {
    isStopped = true;
    waiting?.abort();
    clearTimeout(timer);
    request.off('data', take).off('end', finish).off('close', stop);
  };
  const end = (isLeft: boolean) => {
    if (isStopped) return;
    stop();
    if (fault === undefined) {
      done({ bytes: Buffer.concat(chunks), isInRoom });
      return;
    }
    // Without a listener and not flowing, what still comes would never be read to its end.
    if (isLeft) request.resume();
    done({ fault, isLeft });
  };
  const finish = () => end(false);
  const fail = (why: BodyFault | 'full') => {
    fault = why;
    chunks.length = 0;
  };
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (fault === undefined && bytes > maxBytes) fail('tooLarge');
    if (fault !== undefined) {
      if (bytes > maxIgnoredBytes) end(true);
      return;
    }
    if (!isInRoom) connections.hold(request, chunk.length);
    chunks.push(chunk);
    if (!isInRoom && bytes > SMALL_BODY_BYTES) void waitForRoom(maxBytes);
  };
  const goOn = () => {
    // Whoever is at fault may not be reading, but who asks first is: nothing of that body is needed.
    const isAsked = request.headers.expect !== undefined;
    if (fault !== undefined && (isAsked || (declared ?? 0) > maxIgnoredBytes || maxIgnoredBytes === 0)) {
      end(true);
      return;
    }
    if (isAsked && bytes === 0) options.goOn();
    request.on('data', take).resume();
  };
  const waitForRoom = async (size: number) => {
    request.off('data', take).pause();
    waiting = new AbortController();
    const { signal } = waiting;
    const outcome = await room.enter({ size, owners, untilMs: options.roomUntilMs, signal });
    if (typeof outcome === 'string') {
      fail('full');
    } else {
      isInRoom = true;
      connections.whenEnded(request, outcome);
    }
    if (!isStopped) goOn();
  };
  const timer = setTimeout(
    () => {
      fail('late');
      end(true);
    },
    Math.max(0, options.arrivesUntilMs - performance.now()),
  );
  request.on('end', finish).on('close', stop);
  connections.whenBroken(request, () => {
    fail('malformed');
    end(true);
  });
  if (isStopped) return;
  if (fault === undefined && (declared ?? 0) > SMALL_BODY_BYTES) {
    void waitForRoom(options.roomBytes ?? declared ?? maxBytes);
  } else {
    goOn();
  }
}
