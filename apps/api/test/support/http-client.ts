import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as received, possibly compressed. */
  readonly body: Buffer;
  readonly text: string;
}

export type HttpHeaders = Readonly<Record<string, string>>;

/** A client that sends addresses unchanged, and only the given headers. */
export interface HttpClient {
  get(target: string, headers?: HttpHeaders): Promise<HttpAnswer>;
  send(method: string, target: string, headers?: HttpHeaders): Promise<HttpAnswer>;
  close(): void;
}

const ANSWER_DEADLINE_MS = 60_000;
const CONNECTIONS = 4;

export function openHttpClient(port: number, connections = CONNECTIONS): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send: HttpClient['send'] = (method, path, headers = {}) =>
    new Promise((resolve, reject) => {
      const sent = request({ agent, hostname: '127.0.0.1', port, method, path, headers }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(pieces);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body,
            text: body.toString(),
          });
        });
      });
      sent.on('error', reject);
      sent.setTimeout(ANSWER_DEADLINE_MS, () => sent.destroy(new Error(`no answer: ${method} ${path}`)));
      sent.end();
    });
  return { send, get: (target, headers) => send('GET', target, headers), close: () => agent.destroy() };
}

/**
 * Returns the parts of an answer that do not depend on the time. Leaves out the date. For an HTML page, also leaves out
 * the length and the minute at its end.
 */
export function comparable({ status, headers, body }: HttpAnswer): {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
} {
  const { date: _, ...others } = headers;
  if (!headers['content-type']?.startsWith('text/html')) {
    return { status, headers: others, body: body.toString('latin1') };
  }
  const { 'content-length': __, ...ofPage } = others;
  const page = headers['content-encoding'] === 'gzip' && body.length > 0 ? gunzipSync(body) : body;
  return { status, headers: ofPage, body: page.toString('latin1').replace(READ_AT, '') };
}

/** Matches the time at the end of an HTML page: the minute in which the page was read. */
const READ_AT = /<time datetime="[^"]*">[^<]*<\/time>(?=<\/p><\/footer>)/;
