import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken } from '@takt/access';
import { openPublisher } from '@takt/events';
import { startIntakeProcess } from '@takt/test-support';
import type { RunContext } from './measure.js';
import { COMPANY } from './servers.js';

/** What puts events into the queue while the worker works. */
export interface Producer {
  /** Of a process of its own, beside that of the benchmark. */
  readonly pid?: number;
  /** Resolves once the queue has stored the events. */
  readonly send: (events: readonly unknown[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Our publisher in this process, in jobs of so many events. */
export async function openPublishing({ redisUrl }: RunContext, batchSize: number): Promise<Producer> {
  const publisher = await openPublisher(redisUrl);
  return {
    send: async (events) => {
      await publisher.publish(events, { batchSize });
    },
    close: publisher.close,
  };
}

const TOKEN_LIFETIME_MS = 3_600_000;
/** A busy machine, and only that, may be told to come again; a client in earnest would wait as long as Retry-After says. */
const RETRY_MS = 100;

/** apps/intake as it ships, and requests to it from this process. */
export async function openPosting({ fresh, redisUrl }: RunContext, connections: number): Promise<Producer> {
  const { token } = await createAccessToken(fresh.database, {
    companyCodes: [COMPANY],
    expiresInMs: TOKEN_LIFETIME_MS,
    mayPublish: true,
  });
  const intake = await startIntakeProcess({ databaseUrl: fresh.url, queueUrl: redisUrl });
  const client = openHttpClient({
    url: new URL('/events', intake.origin),
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    connections,
  });
  let refused = 0;
  return {
    pid: intake.pid,
    send: async (events) => {
      const body = JSON.stringify(events.length === 1 ? events[0] : events);
      for (let { status, text } = await client.post(body); status !== 202; ) {
        if (status !== 500) throw new Error(`the intake answered ${text}`);
        refused += 1;
        await delay(RETRY_MS);
        ({ status, text } = await client.post(body));
      }
    },
    close: async () => {
      if (refused > 0) {
        process.stderr.write(`the intake refused ${refused} requests, which were sent again\n`);
      }
      client.close();
      await intake.stop();
    },
  };
}

/** Posts over connections that are kept, one request at a time on each; as light as a load generator has to be. */
interface HttpClient {
  /** Resolves with the answer; waits where all connections are taken. Rejects where one breaks. */
  readonly post: (body: string) => Promise<HttpAnswer>;
  readonly close: () => void;
}

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

interface HttpClientOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
}

function openHttpClient({ url, headers, connections }: HttpClientOptions): HttpClient {
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
