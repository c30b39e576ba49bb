import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Duty, isOwnPost, type SessionPlace } from '@takt/access';
import { describeError } from '@takt/catalogue/errors';
import {
  type AnswerError,
  type ApiAnswer,
  type Body,
  type BodyRoute,
  createAnswerError,
  type HttpServerOptions,
  type MountedRequest,
  type StreamRoute,
} from '@takt/http';
import { chosenLanguage } from '@takt/pages';
import type { Logger } from '@takt/run';
import { writeUntrusted } from './pages/error-pages.js';
import { type Site, writeMessagePage } from './pages/frame.js';
import { answerSignIn, tokenOf } from './sign-in.js';
import {
  answerHtml,
  missingDuty,
  type PageRoute,
  type People,
  type Person,
  type UploadRoute,
  type Visit,
} from './visit.js';
import { type DashboardText, type Words, wordsOf } from './words.js';

interface VisitsDependencies {
  readonly routes: readonly PageRoute[];
  readonly uploads: readonly UploadRoute[];
  readonly people: People;
  readonly baseUrl: string;
  readonly site: Site;
  readonly session: SessionPlace;
  readonly logger: Logger;
}

type Served = Required<Pick<HttpServerOptions, 'bodyRoutes' | 'streamRoutes' | 'mounts'>> &
  Pick<HttpServerOptions['service'], 'routes' | 'answerError'>;

/** The parts of a request that identify its sender and its origin. */
type Asking = Pick<Visit, 'method' | 'headers'>;

const MAX_FORM_BYTES = 16_384;
/** Maximum size of the rest of a refused file that is read. */
const MAX_DRAINED_BYTES = 20_000_000;
const FORM = 'application/x-www-form-urlencoded';

/**
 * Serves the pages through the HTTP layer. If there is no session, any path and method is answered with the sign-in
 * page.
 */
export function serveVisits(dependencies: VisitsDependencies): Served {
  const { people, baseUrl, session } = dependencies;

  const isForeign = ({ method, headers }: Asking) => method !== 'GET' && !isOwnPost(headers, baseUrl);

  /** Finds the person of a session. The cache is not used if the request changes something or may lead to a change. */
  const findPerson = async (asking: Asking, access: PageRoute['access']): Promise<Person | undefined> => {
    const token = tokenOf(asking, session);
    if (token === undefined) return undefined;
    return asking.method !== 'GET' || access !== 'signed-in' ? people.findNow(token) : people.find(token);
  };

  /** Admits the person, or answers with the reason why the person is not admitted. */
  const admit = async (
    visit: Visit,
    access: PageRoute['access'],
    answer: (person: Person) => Promise<ApiAnswer>,
  ): Promise<ApiAnswer> => {
    const person = await findPerson(visit, access);
    if (person === undefined) return answerSignIn(visit, dependencies);
    if (isForeign(visit)) return refuseForeign(dependencies, visit, person);
    const duty = missingDuty(person, access);
    return duty === undefined ? answer(person) : refuseUntrusted(dependencies, visit, { person, duty });
  };

  const answerPage = async (route: PageRoute, visit: Visit, problem?: string): Promise<ApiAnswer> => {
    const refused = problem === undefined ? undefined : refuseForm(dependencies, visit, problem);
    if (route.access !== 'everybody') {
      return admit(visit, route.access, async (person) => refused ?? route.answer(visit, person));
    }
    return isForeign(visit)
      ? refuseForeign(dependencies, visit, undefined)
      : (refused ?? route.answer(visit));
  };

  const toBodyRoute = (route: PageRoute): BodyRoute => {
    const { path, access, maxFormBytes: maxBytes = MAX_FORM_BYTES } = route;
    return {
      path,
      contentTypes: [FORM],
      maxBytes,
      authorizeBody: async ({ headers }) => {
        const asking = { headers, method: 'POST' };
        const person = await findPerson(asking, access);
        return person !== undefined && missingDuty(person, access) === undefined && !isForeign(asking);
      },
      answer: ({ body, ...request }) => {
        const visit = visitOf({ ...request, method: 'POST' }, body);
        return answerPage(route, visit, problemOf(body, maxBytes, visit.words) ?? nulIn(visit));
      },
    };
  };

  const toStreamRoute = ({ path, access, receive }: UploadRoute): StreamRoute => ({
    path,
    answer: async ({ stream, ...request }) => {
      const visit = visitOf({ ...request, method: 'POST' });
      const answer = await admit(visit, access, (person) => receive(visit, person, stream));
      // The rest of a refused file is read, because a browser reads no answer before it has sent everything.
      await drain(stream);
      return answer;
    },
  });

  const ofMethod = (method: PageRoute['method']) =>
    dependencies.routes.filter((route) => route.method === method);
  return {
    answerError: errorPages(dependencies),
    routes: ofMethod('GET').map((route) => ({
      path: route.path,
      answer: (request) => {
        const visit = visitOf({ ...request, method: 'GET' });
        return answerPage(route, visit, nulIn(visit));
      },
    })),
    bodyRoutes: ofMethod('POST').map(toBodyRoute),
    streamRoutes: dependencies.uploads.map(toStreamRoute),
    mounts: [
      {
        prefix: '/',
        answer: (request) => {
          const visit = visitOf(request);
          const places = [...dependencies.routes, ...dependencies.uploads];
          const isPlace = places.some(({ path }) => path === visit.path);
          return admit(visit, 'signed-in', async (person) =>
            refuseUnknown(dependencies, { visit, person, isPlace }),
          );
        },
      },
    ],
  };
}

/** Reads the rest of a stream, if that is not too much; otherwise closes its connection. */
async function drain(stream: Readable): Promise<void> {
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAINED_BYTES) stream.destroy();
  });
  await finished(stream).catch(() => undefined);
}

function visitOf(request: MountedRequest, body?: Body): Visit {
  const form = new URLSearchParams(body?.problem === undefined ? body?.bytes.toString() : '');
  const words = wordsOf(chosenLanguage(request.headers));
  return { ...request, query: new URLSearchParams(request.queryText), form, words };
}

/** Returns the reason why a posted form cannot be used; undefined if it can be used. */
function problemOf({ problem }: Body, maxBytes: number, { say }: Words): string | undefined {
  switch (problem) {
    case undefined:
      return undefined;
    case 'type':
      return say('wrongFormType', FORM);
    case 'tooLarge':
      return say('largeForm', String(maxBytes));
    default:
      return say('wrongForm');
  }
}

/** Returns the problem if a value has the character NUL, which the database refuses; undefined if none has. */
function nulIn({ query, form, words }: Visit): string | undefined {
  const hasNul = [...query, ...form].some((pair) => pair.some((text) => text.includes('\0')));
  return hasNul ? words.say('wrongForm') : undefined;
}

type OfSite = Pick<VisitsDependencies, 'site'>;

function refuseForm({ site }: OfSite, { words }: Visit, problem: string): ApiAnswer {
  const page = { title: words.say('form'), words, site, person: undefined };
  return answerHtml(writeMessagePage(page, problem), 400);
}

function refuseForeign({ site }: OfSite, { words }: Visit, person: Person | undefined): ApiAnswer {
  const page = { title: words.say('refused'), words, site, person };
  return answerHtml(writeMessagePage(page, words.say('otherSite')), 403);
}

interface Untrusted {
  readonly person: Person;
  readonly duty: Duty;
}

function refuseUntrusted({ site }: OfSite, { words }: Visit, untrusted: Untrusted): ApiAnswer {
  return answerHtml(writeUntrusted({ site, words, ...untrusted }), 403);
}

interface Unknown {
  readonly visit: Visit;
  readonly person: Person;
  /** True if the path has a page, but not for this method. */
  readonly isPlace: boolean;
}

function refuseUnknown({ site }: OfSite, { visit: { words }, person, isPlace }: Unknown): ApiAnswer {
  const page = { title: words.say('notFound'), words, site, person };
  return answerHtml(
    writeMessagePage(page, words.say(isPlace ? 'otherMethod' : 'noPage')),
    isPlace ? 405 : 404,
  );
}

function errorPages({ site, logger }: VisitsDependencies): AnswerError {
  return createAnswerError({
    logger,
    write: (error, { headers }) => {
      const words = wordsOf(chosenLanguage(headers));
      const { status, translatedMessage } = describeError(error, words.language);
      const write = (title: DashboardText, text: string) =>
        writeMessagePage({ title: words.say(title), words, site, person: undefined }, text);
      if (status !== 500) return answerHtml(write('refused', translatedMessage), status);
      const isBroken = error.code === 'internalError' || error.code === 'databaseUnavailable';
      return answerHtml(write('notAvailable', words.say(isBroken ? 'broken' : 'cannotAnswer')), 503);
    },
  });
}
