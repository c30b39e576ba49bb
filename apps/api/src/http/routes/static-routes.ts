import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { StaticRoute } from '../static-route.js';
import type { RouteRow } from './create-router.js';

interface Document {
  readonly content: string | Buffer;
  readonly etag: string;
}

/** Documents such as the description of the interface, each read once. */
export function staticRoutes(routes: readonly StaticRoute[]): readonly RouteRow[] {
  return routes.map(({ path, contentType, body, headers = {} }) => {
    const read = once(() => readDocument(body));
    return {
      path,
      template: path,
      answer: async (ctx) => {
        const { content, etag } = await read();
        ctx.set({ 'Content-Type': contentType, ETag: etag, 'Cache-Control': 'no-cache', ...headers });
        ctx.status = 200;
        ctx.body = content;
      },
    };
  });
}

async function readDocument(body: StaticRoute['body']): Promise<Document> {
  const content = typeof body === 'function' ? body() : await readFile(body.file);
  // Weak: the same document may be sent with different encodings.
  return { content, etag: `W/"${createHash('sha256').update(content).digest('base64url')}"` };
}

/** Keeps what was made; a failure is not kept. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
