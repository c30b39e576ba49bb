import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { StaticRoute } from '@takt/http';
import { listen } from '@takt/run';
import { staticRoutes } from '../../src/metadata/static-routes.js';
import { errorMessagesDocument } from './sample-documents.js';

/** A name that Swagger UI does not take for the developer's own machine, where it would ask no validator. */
export const DOCS_HOST = 'takt.example';
const BASE_PATH = '/erp';

export interface DocsServer {
  readonly baseUrl: string;
  /** The queries with which the list of error messages was asked for. */
  requests(): readonly string[];
  close(): Promise<void>;
}

/** Serves the documentation below a path, as behind a proxy, and a list of error messages to try it on. */
export async function startDocsServer(): Promise<DocsServer> {
  const requests: string[] = [];
  let routes: ReadonlyMap<string, StaticRoute> = new Map();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const route = routes.get(pathname);
    if (route !== undefined) {
      const { contentType, body, headers } = route;
      response.writeHead(200, {
        ...headers,
        'content-type': contentType,
        'x-content-type-options': 'nosniff',
      });
      response.end(typeof body === 'function' ? body() : await readFile(body.file));
    } else if (pathname === `${BASE_PATH}/system/error-messages`) {
      requests.push(decodeURIComponent(search));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(errorMessagesDocument));
    } else {
      response.writeHead(404).end();
    }
  });
  const port = await listen(server, 0, '127.0.0.1');
  const baseUrl = `http://${DOCS_HOST}:${port}${BASE_PATH}`;
  routes = new Map(staticRoutes(baseUrl).map((route) => [`${BASE_PATH}${route.path}`, route]));
  return {
    baseUrl,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
