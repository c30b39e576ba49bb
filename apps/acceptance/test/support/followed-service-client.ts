import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The parsed document if the answer is JSON, otherwise an empty object. */
  readonly document: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Sends the same requests as the client library of RamBase, the service whose API Takt follows, byte for byte. The
 * library has one header for its token and sends it with every request, even with requests for a token. The library
 * does not encode parameters. The URL class of its platform encodes blanks and little else.
 */
export class FollowedServiceClient {
  accessToken: string | undefined;
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get(target: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
    return this.#send('GET', target, headers);
  }

  /** Sends a request with a body. The library declares every body as JSON. */
  write(method: 'POST' | 'PUT' | 'DELETE', target: string, body = ''): Promise<RawAnswer> {
    const type = { 'Content-Type': 'application/json; charset=utf-8' };
    return this.#send(method, target, body === '' ? {} : type, body);
  }

  /** Requests a token and sends the form unchanged. Later requests use the new token. */
  async logIn(form: string): Promise<RawAnswer> {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const answer = await this.#send('POST', 'oauth2/access_token', type, form);
    const { access_token: token } = answer.document;
    if (answer.status === 200) this.accessToken = String(token);
    return answer;
  }

  #send(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body = '',
  ): Promise<RawAnswer> {
    const address = new URL(`${this.#origin}/`);
    const authorization =
      this.accessToken === undefined ? {} : { Authorization: `Bearer ${this.accessToken}` };
    const length = method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options = {
      ...{ method, agent: false, hostname: address.hostname, port: address.port },
      path: `/${target.replaceAll(' ', '%20').replaceAll('"', '%22')}`,
      headers: { Accept: 'application/json', ...authorization, ...length, ...headers },
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
          const document: Fields = isJson ? JSON.parse(text) : {};
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, document });
        });
      });
      sent.on('error', reject).end(body);
    });
  }
}
