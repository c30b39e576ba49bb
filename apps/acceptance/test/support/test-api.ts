import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken } from '@takt/access';
import {
  type AppProcess,
  type AppProcessOptions,
  createTestDatabase,
  startApp,
  type TestDatabase,
} from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';

/** A new database with companies, an API process that uses it, and a client whose token is valid for all companies. */
export interface TestApi {
  readonly databaseUrl: string;
  readonly database: TestDatabase['database'];
  readonly api: AppProcess;
  readonly client: ApiClient;
  readonly token: string;
  close(): Promise<void>;
}

export const TOKEN_LIFETIME_MS = 3_600_000;

export interface TestApiOptions extends Omit<AppProcessOptions, 'databaseUrl'> {
  /** Codes of the companies. The first company is the default of the token. */
  readonly companies: readonly [string, ...string[]];
}

export async function openTestApi({ companies, ...options }: TestApiOptions): Promise<TestApi> {
  const { url: databaseUrl, database, close } = await createTestDatabase();
  try {
    for (const code of companies) await addCompany(database, code, `Company ${code}`);
    const request = { companyCodes: companies, expiresInMs: TOKEN_LIFETIME_MS };
    const { token } = await createAccessToken(database, request);
    const api = await startApp('api', { ...options, databaseUrl });
    const client = openApiClient(api, token);
    return {
      databaseUrl,
      database,
      api,
      client,
      token,
      close: async () => {
        client.close();
        await api.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Time in ms from sending the request to the last byte of the answer. */
  readonly durationMs: number;
}

export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * Sends requests exactly as written, and keeps connections open. Unlike fetch, the client changes nothing in a target.
 */
export interface ApiClient {
  /**
   * Sends a GET request with the token. `target` begins with a slash, and is appended unchanged to the path of the base
   * URL.
   */
  get(target: string, headers?: RequestHeaders): Promise<ApiAnswer>;
  /** Follows a link with the token. The link must begin with the base URL. */
  follow(link: string, headers?: RequestHeaders): Promise<ApiAnswer>;
  /** Sends a request without adding a path or a token. */
  send(method: string, target: string, headers?: RequestHeaders): Promise<ApiAnswer>;
  close(): void;
}

const ANSWER_DEADLINE_MS = 60_000;

export function openApiClient({ origin, baseUrl }: AppProcess, token: string, connections = 32): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(origin);
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const authorized = { authorization: `Bearer ${token}` };
  const send: ApiClient['send'] = (method, path, headers = {}) => {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
        });
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text, durationMs: performance.now() - startedAt });
        });
      });
      sent.on('error', reject);
      sent.setTimeout(ANSWER_DEADLINE_MS, () => sent.destroy(new Error(`no answer: ${method} ${path}`)));
      sent.end();
    });
  };
  const get: ApiClient['get'] = (target, headers) =>
    send('GET', basePath + target, { ...authorized, ...headers });
  return {
    send,
    get,
    follow: async (link, headers) => {
      if (!link.startsWith(`${baseUrl}/`)) throw new Error(`a link that leads elsewhere: ${link}`);
      return await get(link.slice(baseUrl.length), headers);
    },
    close: () => agent.destroy(),
  };
}

/**
 * Repeats a request after the time in Retry-After, with at most `attempts` attempts in all. The API may reject requests
 * on a loaded machine.
 */
export async function untilServed(ask: () => Promise<ApiAnswer>, attempts = 5): Promise<ApiAnswer> {
  const answer = await ask();
  const waitS = answer.headers['retry-after'];
  if (waitS === undefined || attempts === 1) return answer;
  await delay(Number(waitS) * 1_000);
  return untilServed(ask, attempts - 1);
}

/**
 * Calls `work` for every item in order, with at most `width` calls at the same time. Rejects with the first failure.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const run = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, run));
}
