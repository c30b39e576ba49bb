import { connect, createServer, type Socket } from 'node:net';

/** A statement as it went over the wire, with its values as text. */
export interface RecordedStatement {
  /** Empty: not prepared under a name. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

interface StatementRecorder {
  /** The URL to connect through. */
  readonly url: string;
  readonly recorded: RecordedStatement[];
  close(): Promise<void>;
}

/**
 * A relay in front of PostgreSQL that writes down what is executed: so the contestant that executes statements alone
 * executes exactly those of the API, whatever they are, and nothing of the API has to be open for that.
 */
export async function startStatementRecorder(databaseUrl: string): Promise<StatementRecorder> {
  const target = new URL(databaseUrl);
  const recorded: RecordedStatement[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const read = createFrontendReader((statement) => recorded.push(statement));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('data', read);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: url.href,
    recorded,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Message {
  /** A letter; undefined for the first message, which alone has no type. */
  readonly type: string | undefined;
  readonly body: Buffer;
}

/** Cuts what a client sends into messages. */
function createMessageReader(onMessage: (message: Message) => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  let typeBytes = 0;
  const isWhole = () =>
    pending.length >= typeBytes + 4 && pending.length >= typeBytes + pending.readInt32BE(typeBytes);
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (isWhole()) {
      const length = typeBytes + pending.readInt32BE(typeBytes);
      const type = typeBytes === 0 ? undefined : pending.toString('latin1', 0, 1);
      const body = pending.subarray(typeBytes + 4, length);
      pending = pending.subarray(length);
      typeBytes = 1;
      onMessage({ type, body });
    }
  };
}

/** Message types and layouts: PostgreSQL documentation, "Message Formats" (Parse P, Bind B). */
function createFrontendReader(onStatement: (statement: RecordedStatement) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>();
  return createMessageReader(({ type, body }) => {
    if (type === 'P') {
      const [name = '', text = ''] = readStrings(body, 2);
      texts.set(name, text);
    } else if (type === 'B') {
      const [portal = '', name = ''] = readStrings(body, 2);
      const start = Buffer.byteLength(portal) + Buffer.byteLength(name) + 2;
      onStatement({ name, text: texts.get(name) ?? '', values: readValues(body, start) });
    }
  });
}

function readStrings(body: Buffer, count: number): readonly string[] {
  const strings: string[] = [];
  let start = 0;
  for (let index = 0; index < count; index++) {
    const end = body.indexOf(0, start);
    strings.push(body.toString('utf8', start, end));
    start = end + 1;
  }
  return strings;
}

function readValues(body: Buffer, start: number): readonly (string | null)[] {
  let at = start + 2 + 2 * body.readInt16BE(start);
  const count = body.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    at += length;
    return body.toString('utf8', at - length, at);
  });
}
