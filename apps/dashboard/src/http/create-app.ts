import { Readable } from 'node:stream';
import { isOwnPost } from '@takt/access';
import { answerObservation, type Logger, OBSERVATION_PATHS, type Observed } from '@takt/runtime';
import Koa from 'koa';
import { styleHash, writeMessagePage } from '../pages/frame.js';
import { writeUntrusted } from '../pages/refusals.js';
import type { People, Person } from '../person.js';
import { answerSignIn, tokenOf } from '../sign-in.js';
import { type Answer, answerHtml, type Route, type Visit } from './answer.js';
import { FIXED_HEADERS, pagePolicy } from './headers.js';
import { readForm, UnreadableFormError } from './read-form.js';

/** What answers everything below a path by itself, for who is signed in. */
export interface Mount {
  /** With a slash at its end. */
  readonly prefix: string;
  readonly answer: (visit: Visit, person: Person) => Promise<Answer>;
}

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly mounts: readonly Mount[];
  readonly people: People;
  readonly baseUrl: string;
  /** Path of the base URL. */
  readonly base: string;
  readonly observed: Observed;
  readonly logger: Logger;
  /** Hears of each request that was answered. `route`: the path of one that there is, else `other`. */
  readonly onAnswered: (seen: {
    readonly route: string;
    readonly status: number;
    readonly ms: number;
  }) => void;
}

const MAX_FORM_BYTES = 16_384;
const HEADERS: Readonly<Record<string, string>> = {
  ...FIXED_HEADERS,
  'Content-Security-Policy': pagePolicy(styleHash),
};

/** Answers every request; nothing but sign-in, health and metrics without a session. */
export function createApp(options: AppOptions): Koa {
  const app = new Koa({ env: 'production' });
  app.silent = true;
  app.use(async (context) => {
    const startedAtMs = performance.now();
    const gone = new AbortController();
    context.res.once('close', () => gone.abort());
    const answer = await answerSafely(context, gone.signal, options);
    context.status = answer.status;
    context.set({ ...HEADERS, ...answer.headers });
    context.body = answer.body;
    // Koa would call an empty text 204 and drop the type.
    context.status = answer.status;
    const { path, routes, mounts } = { path: pathOf(context.url, options.base), ...options };
    const route =
      routes.find((one) => one.path === path)?.path ??
      mounts.find(({ prefix }) => path.startsWith(prefix))?.prefix ??
      OBSERVATION_PATHS.find((one) => one === path) ??
      'other';
    options.onAnswered({ route, status: answer.status, ms: performance.now() - startedAtMs });
    if (answer.body instanceof Readable) await finished(context, answer.body);
  });
  return app;
}

/** A body that streams is Koa's to send; only its errors are ours to take. */
async function finished(context: Koa.Context, body: Readable): Promise<void> {
  body.on('error', () => context.res.destroy());
}

async function answerSafely(context: Koa.Context, gone: AbortSignal, options: AppOptions): Promise<Answer> {
  try {
    return await answerRequest(context, gone, options);
  } catch (error) {
    const { base, logger } = options;
    if (error instanceof UnreadableFormError) {
      const message = `Nothing was done: ${error.message}.`;
      return answerHtml(writeMessagePage({ title: 'Form', base, person: undefined }, message), 400);
    }
    logger.error({ error, path: pathOf(context.url, base) }, 'a request failed');
    const message =
      'The database or the queue did not answer. Try again; the log of the dashboard says more.';
    return answerHtml(writeMessagePage({ title: 'Not available', base, person: undefined }, message), 503);
  }
}

async function answerRequest(context: Koa.Context, gone: AbortSignal, options: AppOptions): Promise<Answer> {
  const visit = visitOf(context, gone, options.base);
  if (visit.method === 'GET' && OBSERVATION_PATHS.some((path) => path === visit.path)) {
    const { status, type, text } = await answerObservation(visit.path, options.observed);
    return { status, headers: { 'Content-Type': type }, body: text };
  }
  const atPath = options.routes.filter(({ path }) => path === visit.path);
  const route = atPath.find(({ method }) => method === visit.method);
  if (route?.access === 'everybody') {
    if (isForeign(visit, options)) return refuseForeign(options, undefined);
    return route.answer(await withForm(visit, context, MAX_FORM_BYTES));
  }
  const person = await findPerson(visit, route, options);
  if (person === undefined) return answerSignIn(visit, options);
  // Before a body is read, and whatever would answer it.
  if (isForeign(visit, options)) return refuseForeign(options, person);
  const mount = options.mounts.find(({ prefix }) => visit.path.startsWith(prefix));
  if (mount !== undefined) return mount.answer(visit, person);
  if (route === undefined) return refuseUnknown(options, person, atPath.length > 0);
  if (route.access === 'operate-queues' && !person.mayOperate) return refuseUntrusted(options, person);
  return route.answer(await withForm(visit, context, route.maxFormBytes ?? MAX_FORM_BYTES), person);
}

/** Who has a session; for what changes something, or may lead to that, as of now. */
async function findPerson(
  visit: Visit,
  route: Route | undefined,
  { people, baseUrl }: AppOptions,
): Promise<Person | undefined> {
  const token = tokenOf(visit, baseUrl);
  if (token === undefined) return undefined;
  const isForChange = visit.method !== 'GET' || route?.access === 'operate-queues';
  return isForChange ? people.findNow(token) : people.find(token);
}

function isForeign({ method, headers }: Visit, { baseUrl }: AppOptions): boolean {
  return method !== 'GET' && !isOwnPost(headers, baseUrl);
}

function visitOf({ req, request }: Koa.Context, gone: AbortSignal, base: string): Visit {
  const url = req.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET'),
    path: pathOf(url, base),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark)),
    headers: req.headers,
    address: request.ip,
    form: new URLSearchParams(),
    gone,
  };
}

/** A proxy in front may keep the path of the base URL or take it away. */
function pathOf(url: string, base: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  if (base !== '' && path === base) return '/';
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}

async function withForm(visit: Visit, { req }: Koa.Context, maxBytes: number): Promise<Visit> {
  if (visit.method === 'GET') return visit;
  return { ...visit, form: await readForm(req, maxBytes) };
}

function refuseForeign({ base }: AppOptions, person: Person | undefined): Answer {
  const message = 'Another site has sent this, so nothing was done. Do it here if that is what you want.';
  return answerHtml(writeMessagePage({ title: 'Refused', base, person }, message), 403);
}

function refuseUntrusted({ base }: AppOptions, person: Person): Answer {
  return answerHtml(writeUntrusted({ base, person }), 403);
}

function refuseUnknown({ base }: AppOptions, person: Person, isPlace: boolean): Answer {
  const message = isPlace
    ? 'This address takes another kind of request.'
    : 'There is no page at this address.';
  return answerHtml(writeMessagePage({ title: 'Not found', base, person }, message), isPlace ? 405 : 404);
}
