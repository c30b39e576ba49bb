import { type FindToken, writeSession } from '@takt/access';
import type { ApiAnswer, ApiRequest, Route } from '@takt/http';
import { returnPath } from '../representations/html/own-links.js';
import { readRequest } from '../service/read-request.js';
import { writingContextOf } from '../service/writing-context.js';

export interface KeepTokenOutOptions {
  readonly findToken: FindToken;
  readonly baseUrl: string;
}

/**
 * A person who opens a page by an address with a token is led to the same address without it, and has a session from then
 * on. Only where the person, or a page of this service, opened it: a link of another site would sign people in as whoever
 * made it. Who is no browser gets the page itself.
 */
export function keepTokenOut({ path, answer }: Route, options: KeepTokenOutOptions): Route {
  return { path, answer: async (request) => (await leadOn(request, options)) ?? answer(request) };
}

const OWN_SITES: readonly unknown[] = ['none', 'same-origin'];

async function leadOn(
  request: ApiRequest,
  { findToken, baseUrl }: KeepTokenOutOptions,
): Promise<ApiAnswer | undefined> {
  const { headers } = request;
  if (headers['sec-fetch-mode'] !== 'navigate' || !OWN_SITES.includes(headers['sec-fetch-site'])) {
    return undefined;
  }
  const read = readRequest(request);
  const { authorization, accessToken: token } = read.credentials;
  const isMeant = read.format === 'html' && authorization === undefined && read.query.problem === undefined;
  if (!isMeant || token === undefined) return undefined;
  // What is wrong with the token, or with the database, is said by the page itself.
  const grant = await findToken(token).catch(() => undefined);
  if (grant === undefined) return undefined;
  return {
    status: 303,
    headers: {
      Location: baseUrl + returnPath(writingContextOf(read, baseUrl)),
      'Set-Cookie': writeSession({ token, isGiven: true }, baseUrl),
      'Content-Type': 'text/plain; charset=utf-8',
    },
    body: Buffer.alloc(0),
    isStreamed: false,
  };
}
