import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FormRoute } from './answer.js';
import type { Connections } from './connections.js';
import { pathBelow, readRequestTarget } from './http-request.js';

export interface FormsOptions {
  readonly basePath: string;
  readonly routes: readonly FormRoute[];
  readonly maxFormBytes: number;
  readonly connections: Connections;
}

export interface FormCalls {
  readonly arrived: () => void;
  readonly late: () => void;
}

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/**
 * Reads the bodies of forms, each to its end before the request may take a place in work: a client that sends slowly
 * holds up nobody but itself. Read by the route instead, sixteen such clients would have had all the places.
 */
export class Forms {
  readonly #options: FormsOptions;
  readonly #paths: ReadonlySet<string>;
  readonly #texts = new WeakMap<IncomingMessage, string>();

  constructor(options: FormsOptions) {
    this.#options = options;
    this.#paths = new Set(options.routes.map(({ path }) => path));
  }

  /**
   * Calls `arrived` once the form has been read, or at once for what posts none; `late` where it has not come by `untilMs`, in
   * the time of performance.now(); neither if the connection ends before.
   */
  read(
    request: IncomingMessage,
    response: ServerResponse,
    untilMs: number,
    { arrived, late }: FormCalls,
  ): void {
    const { connections, maxFormBytes } = this.#options;
    if (!this.#isForm(request)) {
      arrived();
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = () => {
      clearTimeout(timer);
      request.off('data', take).off('end', finish).off('close', stop);
      connections.leaveBody(request);
    };
    const giveUp = (call: () => void) => {
      stop();
      // Without a listener and not flowing, what still comes would never be read to its end.
      request.resume();
      call();
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      connections.hold(request, response, chunk.length);
      chunks.push(chunk);
      if (bytes > maxFormBytes) giveUp(arrived);
    };
    const finish = () => {
      stop();
      this.#texts.set(request, Buffer.concat(chunks).toString());
      arrived();
    };
    const timer = setTimeout(giveUp, Math.max(0, untilMs - performance.now()), late);
    request.on('data', take).on('end', finish).on('close', stop);
    // Not at once: nothing may be written while requests are still being read, see RequestFeed.
    if (request.headers.expect !== undefined) setImmediate(() => response.writeContinue());
    connections.takeBody(request);
  }

  /** The body of a form that has been read. */
  textOf(request: IncomingMessage): string | undefined {
    return this.#texts.get(request);
  }

  /** Is it one of the routes that take forms, whatever is posted? */
  isFor({ method, url = '' }: IncomingMessage): boolean {
    if (method !== 'POST') return false;
    const path = pathBelow(this.#options.basePath, readRequestTarget(url).path);
    return path !== undefined && this.#paths.has(path);
  }

  #isForm(request: IncomingMessage): boolean {
    const { 'content-type': type = '', 'content-length': length = '0' } = request.headers;
    return this.isFor(request) && FORM_TYPE.test(type) && Number(length) <= this.#options.maxFormBytes;
  }
}
