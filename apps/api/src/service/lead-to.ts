import type { ApiAnswer } from '@takt/http';
import { returnPath } from '../representations/html/own-links.js';
import type { ReadRequest } from './read-request.js';
import { writingContextOf } from './writing-context.js';

type Headers = Readonly<Record<string, string>>;

/** Leads on to an absolute address. */
export function redirect(location: string, headers: Headers = {}): ApiAnswer {
  return {
    status: 303,
    headers: { ...headers, Location: location, 'Content-Type': 'text/plain; charset=utf-8' },
    body: Buffer.alloc(0),
    isStreamed: false,
  };
}

/** Leads a browser on to the address of a request, without the token that it may have. */
export function leadTo(read: ReadRequest, baseUrl: string, headers: Headers = {}): ApiAnswer {
  const location = baseUrl + returnPath(writingContextOf(read, baseUrl));
  return redirect(location, { 'Cache-Control': 'private, no-store', ...headers });
}
