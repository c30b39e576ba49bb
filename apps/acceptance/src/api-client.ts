import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { ApiProcess } from './api-process.js';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** From sending the request to the last byte of the answer. */
  readonly durationMs: number;
}

export type RequestHeaders = Readonly<Record<string, string>>;

/** Requests as they are written: unlike fetch it changes nothing of a target. Connections are kept. */
export interface ApiClient {
  /** `target` begins with a slash and is sent as it is, below the base URL's path; the token goes with it. */
  get(target: string, headers?: RequestHeaders): Promise<ApiAnswer>;
  /** Follows a link, which must begin with the base URL. */
  follow(link: string, headers?: RequestHeaders): Promise<ApiAnswer>;
  /** Nothing is added to what is given. */
  send(method: string, target: string, headers?: RequestHeaders): Promise<ApiAnswer>;
  close(): void;
}

const ANSWER_DEADLINE_MS = 20_000;

export function openApiClient({ origin, baseUrl }: ApiProcess, token: string, connections = 32): ApiClient {
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
