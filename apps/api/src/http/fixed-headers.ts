import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa, { type Middleware } from 'koa';

export type Headers = Readonly<Record<string, string>>;

/**
 * The headers that these middlewares give to an answer of any request: for answers that are written without Koa, and
 * for errors, whose answer begins anew. Asking the middlewares keeps one source for both.
 */
export async function collectFixedHeaders(middlewares: readonly Middleware[]): Promise<Headers> {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = '/';
  const response = new ServerResponse(request);
  const context = new Koa({ env: 'production' }).createContext(request, response);
  for (const middleware of middlewares) await middleware(context, async () => undefined);
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}
