import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** The headers by their name in lower case. The values of a repeated header are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface RawConnection {
  send(text: string): void;
  /** Returns the next answer. Rejects if the connection ends first, or if nothing arrives within 30 s. */
  answer(to?: 'GET' | 'HEAD'): Promise<RawAnswer>;
  /**
   * Resolves to true when the other side has closed the connection. Resolves to false if it has not done so within
   * `waitMs`.
   */
  ended(waitMs?: number): Promise<boolean>;
  /** Returns the received bytes that are not part of an answer yet. */
  rest(): Buffer;
  readonly socket: Socket;
  destroy(): void;
}

const WAIT_MS = 30_000;
const HEAD_END = '\r\n\r\n';

/**
 * Opens a client that can send anything, because it interprets nothing of an answer except its length.
 * @param from the loopback address of the client, such as 127.0.0.2 for another client; any address by default
 */
export async function openConnection(port: number, from?: string): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', ...(from === undefined ? {} : { localAddress: from }) });
  let received = Buffer.alloc(0);
  let hasEnded = false;
  let wake: () => void = () => undefined;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const end = () => {
    hasEnded = true;
    wake();
  };
  socket.on('end', end).on('close', end).on('error', end);
  await new Promise((resolve) => socket.once('connect', resolve));
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    socket,
    send: (text) => void socket.write(text, 'latin1'),
    answer: async (to = 'GET') => {
      const deadline = Date.now() + WAIT_MS;
      for (;;) {
        const read = readAnswer(received, to);
        if (read !== undefined) {
          received = received.subarray(read.length);
          return read.answer;
        }
        if (hasEnded) throw new Error(`the connection ended after: ${received.toString('latin1')}`);
        if (Date.now() > deadline) throw new Error(`no answer, only: ${received.toString('latin1')}`);
        await wait(deadline - Date.now());
      }
    },
    ended: async (waitMs = WAIT_MS) => {
      const deadline = Date.now() + waitMs;
      while (!hasEnded && Date.now() < deadline) await wait(deadline - Date.now());
      return hasEnded;
    },
    rest: () => received,
    destroy: () => socket.destroy(),
  };
}

/** Sends one request on a new connection and returns the answer. */
export async function exchange(
  port: number,
  text: string,
  to: 'GET' | 'HEAD' = 'GET',
  from?: string,
): Promise<RawAnswer> {
  const connection = await openConnection(port, from);
  connection.send(text);
  try {
    return await connection.answer(to);
  } finally {
    connection.destroy();
  }
}

/** Returns the text of a well-formed request. */
export function request(
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): string {
  const lines = Object.entries({ Host: 'takt.test', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function readAnswer(bytes: Buffer, to: 'GET' | 'HEAD'): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const bodyStart = headEnd + HEAD_END.length;
  const hasNoBody = to === 'HEAD' || status === 204 || status === 304;
  const body = hasNoBody ? { body: Buffer.alloc(0), end: bodyStart } : readBody(bytes, bodyStart, headers);
  return body === undefined ? undefined : { answer: { status, headers, body: body.body }, length: body.end };
}

function readBody(bytes: Buffer, start: number, headers: Readonly<Record<string, string>>) {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, start);
  const end = start + Number(headers['content-length']);
  return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end };
}

function readChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), end };
    chunks.push(bytes.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}
