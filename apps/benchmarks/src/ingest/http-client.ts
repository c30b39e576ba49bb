import { connect, type Socket } from 'node:net';

/** Posts over connections that are kept, one request at a time on each; as light as a load generator has to be. */
export interface HttpClient {
  /** Resolves with the answer; waits where all connections are taken. Rejects where one breaks. */
  readonly post: (body: string) => Promise<HttpAnswer>;
  readonly close: () => void;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export interface HttpClientOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
}

export function openHttpClient({ url, headers, connections }: HttpClientOptions): HttpClient {
  const named = Object.entries({ Host: url.host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `POST ${url.pathname} HTTP/1.1\r\n${named.join('')}Content-Length: `;
  const all = Array.from({ length: connections }, () => openConnection(url));
  const free = [...all];
  const waiting: ((connection: Connection) => void)[] = [];
  // Each in its turn: the server ends a connection over which nothing was asked for 10 s.
  const take = async () => free.shift() ?? new Promise<Connection>((resolve) => waiting.push(resolve));
  const giveBack = (connection: Connection) => {
    const next = waiting.shift();
    if (next === undefined) {
      free.push(connection);
    } else {
      next(connection);
    }
  };
  return {
    post: async (body) => {
      const connection = await take();
      const answer = await connection.ask(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
      giveBack(connection);
      return answer;
    },
    close: () => {
      for (const { socket } of all) socket.destroy();
    },
  };
}

interface Connection {
  readonly socket: Socket;
  readonly ask: (request: string) => Promise<HttpAnswer>;
}

const STATUS_AT = 'HTTP/1.1 '.length;

function openConnection({ hostname, port }: URL): Connection {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let answer = '';
  let settle = { resolve: (_answer: HttpAnswer) => {}, reject: (_error: Error) => {} };
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
    if (!isWhole(answer)) return;
    const whole = { status: Number(answer.slice(STATUS_AT, STATUS_AT + 3)), text: answer };
    answer = '';
    settle.resolve(whole);
  });
  socket.on('error', (error) => settle.reject(error));
  socket.on('close', () => settle.reject(new Error('the connection was closed')));
  return {
    socket,
    ask: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        if (socket.destroyed) return reject(new Error('the connection had been closed'));
        socket.write(request);
      }),
  };
}

/** Of an answer that tells its length, as short ones do. */
function isWhole(answer: string): boolean {
  const headersEnd = answer.indexOf('\r\n\r\n');
  if (headersEnd < 0) return false;
  const length = /^content-length: *(\d+)/im.exec(answer)?.[1];
  if (length === undefined) throw new Error(`an answer without its length: ${answer.slice(0, headersEnd)}`);
  return answer.length >= headersEnd + 4 + Number(length);
}
