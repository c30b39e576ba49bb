import { type RequestOptions, request } from 'node:http';
import { createAccessToken, createApiClient, createUser } from '@takt/access';
import type { Database } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { findFreePort } from '@takt/test-support';
import { pino, stdSerializers } from 'pino';
import { startApi } from '../../src/start-api.js';

export const PASSWORD = 'correct horse battery';
export const REDIRECT_URI = 'https://client.example/signed-in?from=takt';
export const PLAIN_REDIRECT_URI = 'https://client.example/signed-in';
export const LIST = '/product/structure-versions/aggregated-production-times';

/** The API with a separate database, two companies, a confidential client, a public client and a person. */
export interface SignInPlace {
  readonly origin: string;
  readonly baseUrl: string;
  readonly database: Database;
  /** A client with a secret, for the company TEM-NO. */
  readonly client: { readonly id: string; readonly secret: string };
  readonly publicClientId: string;
  readonly pid: string;
  /** A token for both companies without a client and a person, like a token from the command line. */
  readonly token: string;
  /** All lines that the API has logged. */
  readonly log: readonly string[];
  /** Posts a form to a path below the base URL, from an address of this machine. Does not follow redirects. */
  post(path: string, form: Form, headers?: HeaderValues, localAddress?: string): Promise<Response>;
  get(path: string, headers?: HeaderValues): Promise<Response>;
  head(path: string, headers?: HeaderValues): Promise<Response>;
  close(): Promise<void>;
}

type HeaderValues = Readonly<Record<string, string>>;
export type Form = Readonly<Record<string, string>> | string;

export interface SignInPlaceOptions {
  /** The path of the base URL, by default empty. */
  readonly basePath?: string;
  readonly redirectUris?: readonly string[];
}

export async function openSignInPlace({
  basePath = '',
  redirectUris = [REDIRECT_URI, PLAIN_REDIRECT_URI],
}: SignInPlaceOptions = {}): Promise<SignInPlace> {
  const { appUrl, database, close } = await createTestDatabase();
  await addCompany(database, 'TEM-NO', 'Tempus Norge');
  await addCompany(database, 'TEM-SE', 'Tempus Sverige');
  const permissions = ['production-times', 'error-messages', 'application-versions'];
  const line = { name: 'Line display', companyCodes: ['TEM-NO'], permissions, redirectUris };
  const confidential = await createApiClient(database, { ...line, roles: ['planner'] });
  const open = await createApiClient(database, { ...line, name: 'Phone', isPublic: true });
  const person = {
    name: 'Larsen',
    companyCodes: ['TEM-NO', 'TEM-SE'],
    roles: ['planner'],
    password: PASSWORD,
  };
  const pid = await createUser(database, person);
  const { token } = await createAccessToken(database, {
    companyCodes: ['TEM-NO', 'TEM-SE'],
    expiresInMs: 3_600_000,
  });
  const log: string[] = [];
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const baseUrl = origin + basePath;
  const serializers = { error: stdSerializers.err };
  const logger = pino({ level: 'debug', serializers }, { write: (line: string) => void log.push(line) });
  const api = await startApi({
    databaseUrl: appUrl('api'),
    host: '127.0.0.1',
    port,
    baseUrl,
    dashboardUrl: 'http://127.0.0.1:1',
    logger,
    limits: { answerDeadlineMs: 60_000, maxWaitMs: 60_000 },
  });
  const send = (method: string, path: string, headers: HeaderValues, body = '', localAddress = '127.0.0.1') =>
    exchange(new URL(baseUrl + path), { method, headers, localAddress }, body);
  return {
    origin,
    baseUrl,
    database,
    client: { id: String(confidential.clientId), secret: confidential.secret ?? '' },
    publicClientId: String(open.clientId),
    pid: String(pid),
    token,
    log,
    post: (path, form, headers = {}, localAddress = '127.0.0.1') => {
      const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
      const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return send('POST', path, { ...type, ...headers }, body, localAddress);
    },
    get: (path, headers = {}) => send('GET', path, headers),
    head: (path, headers = {}) => send('HEAD', path, headers),
    close: async () => {
      await api.close();
      await close();
    },
  };
}

/** Returns the cookie of an answer as a browser sends it back. */
export function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Sends a request with any headers. fetch cannot send the headers of a browser navigation. */
function exchange(url: URL, options: RequestOptions, body: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
      answer.on('end', () => {
        const given = Object.entries(answer.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve(new Response(Buffer.concat(pieces), { status: answer.statusCode ?? 0, headers: given }));
      });
    });
    sent.on('error', reject).end(body);
  });
}
