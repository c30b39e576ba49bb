import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { BodyFault, BodyRoute } from './answer.js';
import type { ByteRoom } from './byte-room.js';
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
  readonly room: ByteRoom;
  /** What a large one takes up, where it is not what its client says; undefined: that. */
  readonly roomBytes: number | undefined;
  /** Until when it may wait for room, and until when it is to have arrived, in the time of performance.now(). */
  readonly roomUntilMs: number;
  readonly arrivesUntilMs: number;
  /** Why none of it will be used; undefined: nothing speaks against it so far. */
  readonly fault: BodyFault | undefined;
}

/** Size of a body as its client says; undefined: it comes in chunks, and there is no saying. */
export function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/**
 * Reads a body to its end, and tells `done` once; never if the connection ends before. A large one waits for room before
 * it is read, and stays with the system until then. One that nobody will use is read and thrown away where the route says
 * so, for many clients read no answer before they have sent all.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReadBodyOptions,
  done: (body: ReadBody) => void,
): void {
  const { route, connections, room } = options;
  const { maxBytes, maxIgnoredBytes = 0 } = route;
  const declared = declaredBytes(request.headers);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let fault: BodyFault | 'full' | undefined = options.fault;
  let isInRoom = false;
  let isWaiting = false;
  let takeBack: () => void = () => undefined;

  const stop = () => {
    clearTimeout(timer);
    takeBack();
    request.off('data', take).off('end', finish).off('close', stop);
    connections.leaveBody(request);
  };
  const end = (isLeft: boolean) => {
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
    if (!isInRoom) connections.hold(request, response, chunk.length);
    chunks.push(chunk);
    if (!isInRoom && !isWaiting && bytes > SMALL_BODY_BYTES) waitForRoom(maxBytes);
  };
  const goOn = () => {
    // Whoever is at fault may not be reading, but who asks first is: nothing of that body is needed.
    const isAsked = request.headers.expect !== undefined;
    if (fault !== undefined && (isAsked || (declared ?? 0) > maxIgnoredBytes || maxIgnoredBytes === 0)) {
      end(true);
      return;
    }
    // Not at once: nothing may be written while requests are still being read, see RequestFeed.
    if (isAsked && bytes === 0) setImmediate(() => response.writeContinue());
    connections.takeBody(request, {
      left: () => (declared === undefined ? 0 : declared - bytes - request.readableLength),
      broken: () => {
        fail('malformed');
        end(true);
      },
    });
  };
  const waitForRoom = (wanted: number) => {
    isWaiting = true;
    connections.leaveBody(request);
    takeBack = room.enter(wanted, options.roomUntilMs, {
      go: (leave) => {
        isWaiting = false;
        isInRoom = true;
        connections.whenEnded(request, response, leave);
        goOn();
      },
      full: () => {
        isWaiting = false;
        fail('full');
        goOn();
      },
    });
  };
  const timer = setTimeout(
    () => {
      fail('late');
      end(true);
    },
    Math.max(0, options.arrivesUntilMs - performance.now()),
  );
  request.on('data', take).on('end', finish).on('close', stop);
  if (fault === undefined && (declared ?? 0) > SMALL_BODY_BYTES) {
    waitForRoom(options.roomBytes ?? declared ?? maxBytes);
  } else {
    goOn();
  }
}
