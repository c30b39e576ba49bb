import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import Router from '@koa/router';
import { ServiceError } from '@takt/catalogue/errors';
import { shareRun, withDeadline } from '@takt/run';
import type { ApiAnswer, BodyRoute, Mount, Route, StaticRoute, StreamRoute } from './answer.js';
import { isPieces, sendAnswer, shareEncodings } from './encode-answer.js';
import type { Encoding, HttpContext, HttpMiddleware, RequestState } from './http-request.js';
import type { RunInPlace } from './places.js';
import type { ReadBody } from './read-body.js';
import type { Serving } from './request-record.js';

type PathParameters = Readonly<Record<string, string>>;

export interface RouteRow {
  /** Method of the request. GET also stands for HEAD. */
  readonly method: 'GET' | 'POST';
  /** Path in the syntax of @koa/router, in which `:name` is a path parameter. */
  readonly path: string;
  /** Name of the route in metrics. */
  readonly template: string;
  answer(ctx: HttpContext, pathParameters: PathParameters): void | Promise<void>;
}

interface MountRow extends Pick<RouteRow, 'template' | 'answer'> {
  readonly prefix: string;
}

/**
 * Routes GET, HEAD and POST, and answers OPTIONS. Other requests go to the next middleware. Paths without parameters
 * are found in a map, because trying each pattern would cost as much as a small answer. Paths are compared exactly, so
 * each document has only one address.
 * @param below base of the paths: the root of the server, or the path of the base URL
 * @param mounts they take precedence over patterns and OPTIONS
 */
export function createRouter(
  rows: readonly RouteRow[],
  below: 'root' | 'base',
  mounts: readonly MountRow[] = [],
): HttpMiddleware {
  const known = new Map<string, RouteRow>();
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const patterns = rows.filter(({ path }) => path.includes(':'));
  for (const row of rows) {
    if (!patterns.includes(row)) known.set(`${row.method} ${row.path}`, row);
  }
  for (const row of patterns) {
    router[row.method === 'GET' ? 'get' : 'post'](row.path, (ctx) => answerRow(row, ctx, ctx.params));
  }
  for (const { path, template } of rows) {
    router.options(path, (ctx) => {
      ctx.state.route = template;
      ctx.set('Allow', methodsOf(rows, path).join(', '));
      ctx.status = 204;
    });
  }
  const route = router.routes();
  return (ctx, next) => {
    const { fullPath, isBelowBase, request } = ctx.state;
    if (below === 'base' && !isBelowBase) return next();
    // Without this path the router would use ctx.path, which drops the text after a `#`.
    const path = below === 'root' ? fullPath : request.path;
    const { method } = ctx.req;
    const row = known.get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
    if (row !== undefined) return answerRow(row, ctx, {});
    const mount = mounts.find(({ prefix }) => path.startsWith(prefix));
    if (mount !== undefined) return answerRow(mount, ctx, {});
    if (patterns.length === 0 && method !== 'OPTIONS') return next();
    return route(Object.assign(ctx, { newRouterPath: path, router, params: {} }), next);
  };
}

function answerRow(
  { template, answer }: Pick<RouteRow, 'template' | 'answer'>,
  ctx: HttpContext,
  parameters: PathParameters,
) {
  ctx.state.route = template;
  return answer(ctx, parameters);
}

function methodsOf(rows: readonly RouteRow[], path: string): readonly string[] {
  const taken = rows.filter((row) => row.path === path).map(({ method }) => method);
  return [
    ...(taken.includes('GET') ? ['GET', 'HEAD'] : []),
    ...(taken.includes('POST') ? ['POST'] : []),
    'OPTIONS',
  ];
}

/** The route that was found, and its decoded path parameters. */
export interface FoundRoute {
  readonly route: Route;
  readonly pathParameters: PathParameters;
}

/** Returns a function that finds the route for a path below the base URL. It finds the same route as the router. */
export function createRouteFinder(routes: readonly Route[]): (path: string) => FoundRoute | undefined {
  const router = new Router({ sensitive: true, strict: true });
  const layers = new Map(
    routes.map((route) => {
      router.get(patternOf(route), () => undefined);
      return [router.stack.at(-1), route];
    }),
  );
  const known = new Map(routes.filter(({ path }) => !path.includes('{')).map((route) => [route.path, route]));
  return (path) => {
    const exact = known.get(path);
    if (exact !== undefined) return { route: exact, pathParameters: {} };
    const [layer] = router.match(path, 'GET').pathAndMethod;
    const route = layers.get(layer);
    return layer && route && { route, pathParameters: layer.params(path, layer.captures(path)) };
  };
}

const patternOf = ({ path }: Route) => path.replace(/\{(\w+)\}/g, ':$1');

export interface Answering extends Pick<Serving, 'limits' | 'isClosing'> {
  readonly inPlace: RunInPlace;
  readonly inBodyPlace: RunInPlace;
  readonly readBody: ReadBody;
}

/**
 * The part of an answer's deadline that may pass before the work on the request starts. A request that waits longer is
 * refused.
 */
const START_SHARE = 7 / 8;

/** Answers with a route, when there is a place and within the deadline of an answer. */
async function answerInPlace(
  answer: () => Promise<ApiAnswer>,
  ctx: HttpContext,
  inPlace: RunInPlace,
  { answerDeadlineMs }: Answering['limits'],
): Promise<void> {
  const { request, sinceMs } = ctx.state;
  const inTime = await inPlace(request, sinceMs + answerDeadlineMs * START_SHARE, () => {
    const answered = answer();
    return withDeadline(answered, sinceMs + answerDeadlineMs - performance.now(), () => {
      // Nobody receives an answer that is late, so the production of its body is ended. A late failure must not end the process.
      answered.then(
        ({ body }) => (isPieces(body) ? body.end() : undefined),
        () => undefined,
      );
      throw new ServiceError('databaseUnavailable');
    });
  });
  await sendAnswer(ctx, inTime);
}

export function resourceRoutes(
  routes: readonly Route[],
  { inPlace, limits }: Answering,
): readonly RouteRow[] {
  return routes.map((route) => ({
    method: 'GET',
    path: patternOf(route),
    template: route.path,
    answer: (ctx, pathParameters) => {
      const request = { ...ctx.state.request, pathParameters, isHead: ctx.req.method === 'HEAD' };
      return answerInPlace(() => route.answer(request), ctx, inPlace, limits);
    },
  }));
}

export function bodyRoutes(
  routes: readonly BodyRoute[],
  { inBodyPlace, readBody, limits, isClosing }: Answering,
): readonly RouteRow[] {
  return routes.map((route) => ({
    method: 'POST',
    path: route.path,
    template: route.path,
    answer: async (ctx) => {
      const body = await readBody(ctx, route);
      if (isClosing()) throw new ServiceError('shuttingDown');
      ctx.state.sinceMs = performance.now();
      await answerInPlace(() => route.answer({ ...ctx.state.request, body }), ctx, inBodyPlace, limits);
    },
  }));
}

/** Rows for uploads, which take no place. */
export function streamRows(routes: readonly StreamRoute[]): readonly RouteRow[] {
  return routes.map((route) => ({
    method: 'POST',
    path: route.path,
    template: route.path,
    answer: async (ctx) => {
      if (ctx.state.awaitsContinue) ctx.res.writeContinue();
      ctx.state.awaitsContinue = false;
      await sendAnswer(ctx, await route.answer({ ...ctx.state.request, stream: ctx.req }));
    },
  }));
}

export function mountRows(mounts: readonly Mount[], { inPlace, limits }: Answering): readonly MountRow[] {
  return mounts.map((mount) => ({
    prefix: mount.prefix,
    template: mount.prefix === '/' ? '' : mount.prefix,
    answer: (ctx) => {
      const request = { ...ctx.state.request, method: ctx.method === 'HEAD' ? 'GET' : ctx.method };
      return answerInPlace(() => mount.answer(request), ctx, inPlace, limits);
    },
  }));
}

interface StoredDocument {
  readonly content: Buffer;
  readonly etag: string;
  /** Returns the body in an encoding. Each encoding is made when it is first requested. */
  readonly encoded: (encoding: Encoding) => Promise<Buffer>;
}

/**
 * Makes routes for public documents such as the OpenAPI description. Each document is read and compressed only once,
 * and all answers share the bytes.
 */
export function staticRoutes(routes: readonly StaticRoute[]): readonly RouteRow[] {
  return routes.map(({ path, contentType, body, headers = {} }) => {
    const read = shareRun(() => readDocument(body), { keeps: true });
    return {
      method: 'GET',
      path,
      template: path,
      answer: async (ctx) => {
        const { content, etag, encoded } = await read();
        ctx.set({ 'Content-Type': contentType, ETag: etag, 'Cache-Control': 'no-cache', ...headers });
        ctx.status = 200;
        ctx.body = content;
        ctx.state.shared = encoded;
      },
    };
  });
}

async function readDocument(body: StaticRoute['body']): Promise<StoredDocument> {
  const content = typeof body === 'function' ? Buffer.from(body()) : await readFile(body.file);
  // The ETag is weak, because the encodings of one document have different bytes.
  const etag = `W/"${createHash('sha256').update(content).digest('base64url')}"`;
  return { content, etag, encoded: shareEncodings(content, 'thorough') };
}
