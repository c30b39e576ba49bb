import { isOwnPost } from '@takt/access';
import { describeError } from '@takt/catalogue/errors';
import {
  type AnswerError,
  type ApiAnswer,
  type Body,
  type BodyRoute,
  createAnswerError,
  type HttpServerOptions,
  type MountedRequest,
} from '@takt/http';
import type { Logger } from '@takt/run';
import { writeUntrusted } from './pages/error-pages.js';
import { writeMessagePage } from './pages/frame.js';
import { answerSignIn, tokenOf } from './sign-in.js';
import type { People, Person } from './visit.js';
import { answerHtml, type PageRoute, type Visit } from './visit.js';

/** What answers everything below a path by itself, for who is signed in. */
export interface PageMount {
  /** With a slash at its end. */
  readonly prefix: string;
  readonly answer: (visit: Visit, person: Person) => Promise<ApiAnswer>;
}

export interface VisitsPlace {
  readonly routes: readonly PageRoute[];
  readonly mounts: readonly PageMount[];
  readonly people: People;
  readonly baseUrl: string;
  /** Path of the base URL. */
  readonly base: string;
  readonly logger: Logger;
}

type Served = Required<Pick<HttpServerOptions, 'bodyRoutes' | 'mounts'>> &
  Pick<HttpServerOptions['service'], 'routes' | 'answerError'>;

/** What tells who asks, and whether another site made him ask. */
type Asking = Pick<Visit, 'method' | 'headers'>;

const MAX_FORM_BYTES = 16_384;
const FORM = 'application/x-www-form-urlencoded';

/** What the HTTP layer serves of the pages: nothing but sign-in without a session, whatever the path and the method are. */
export function serveVisits(place: VisitsPlace): Served {
  const { people, baseUrl } = place;

  const isForeign = ({ method, headers }: Asking) => method !== 'GET' && !isOwnPost(headers, baseUrl);

  /** Who has a session; for what changes something, or may lead to that, as of now. */
  const findPerson = async (asking: Asking, access: PageRoute['access']): Promise<Person | undefined> => {
    const token = tokenOf(asking, baseUrl);
    if (token === undefined) return undefined;
    return asking.method !== 'GET' || access === 'operate-queues'
      ? people.findNow(token)
      : people.find(token);
  };

  /** Lets a person in, or answers whoever may not. */
  const admit = async (
    visit: Visit,
    access: PageRoute['access'],
    answer: (person: Person) => Promise<ApiAnswer>,
  ): Promise<ApiAnswer> => {
    const person = await findPerson(visit, access);
    if (person === undefined) return answerSignIn(visit, place);
    if (isForeign(visit)) return refuseForeign(place, person);
    if (access === 'operate-queues' && !person.mayOperate) return refuseUntrusted(place, person);
    return answer(person);
  };

  const answerPage = async (route: PageRoute, visit: Visit, problem?: string): Promise<ApiAnswer> => {
    const refused = problem === undefined ? undefined : refuseForm(place, problem);
    if (route.access !== 'everybody') {
      return admit(visit, route.access, async (person) => refused ?? route.answer(visit, person));
    }
    return isForeign(visit) ? refuseForeign(place, undefined) : (refused ?? route.answer(visit));
  };

  const toBodyRoute = (route: PageRoute): BodyRoute => {
    const { path, access, maxFormBytes: maxBytes = MAX_FORM_BYTES } = route;
    return {
      path,
      contentTypes: [FORM],
      maxBytes,
      // A browser reads no answer before it has sent everything.
      maxIgnoredBytes: maxBytes,
      mayBring: async ({ headers }) => {
        const asking = { headers, method: 'POST' };
        return (await findPerson(asking, access))?.mayOperate === true && !isForeign(asking);
      },
      answer: ({ body, ...request }) =>
        answerPage(route, visitOf({ ...request, method: 'POST' }, body), problemOf(body, maxBytes)),
    };
  };

  const otherwise: PageMount = {
    prefix: '/',
    answer: async ({ path: asked }, person) =>
      refuseUnknown(
        place,
        person,
        place.routes.some(({ path }) => path === asked),
      ),
  };
  const ofMethod = (method: PageRoute['method']) => place.routes.filter((route) => route.method === method);
  return {
    answerError: errorPages(place),
    routes: ofMethod('GET').map((route) => ({
      path: route.path,
      answer: (request) => answerPage(route, visitOf({ ...request, method: 'GET' })),
    })),
    bodyRoutes: ofMethod('POST').map(toBodyRoute),
    mounts: [...place.mounts, otherwise].map(({ prefix, answer }) => ({
      prefix,
      answer: (request) => {
        const visit = visitOf(request);
        return admit(visit, 'signed-in', (person) => answer(visit, person));
      },
    })),
  };
}

function visitOf(request: MountedRequest, body?: Body): Visit {
  const form = new URLSearchParams(body?.problem === undefined ? body?.bytes.toString() : '');
  return { ...request, query: new URLSearchParams(request.queryText), form };
}

/** Why nothing of what was posted can be used. */
function problemOf({ problem }: Body, maxBytes: number): string | undefined {
  switch (problem) {
    case undefined:
      return undefined;
    case 'type':
      return `the form is not ${FORM}`;
    case 'tooLarge':
      return `the form is larger than ${maxBytes} bytes`;
    default:
      return 'the form could not be read';
  }
}

type Place = Pick<VisitsPlace, 'base'>;

function refuseForm({ base }: Place, problem: string): ApiAnswer {
  const message = `Nothing was done: ${problem}.`;
  return answerHtml(writeMessagePage({ title: 'Form', base, person: undefined }, message), 400);
}

function refuseForeign({ base }: Place, person: Person | undefined): ApiAnswer {
  const message = 'Another site has sent this, so nothing was done. Do it here if that is what you want.';
  return answerHtml(writeMessagePage({ title: 'Refused', base, person }, message), 403);
}

function refuseUntrusted({ base }: Place, person: Person): ApiAnswer {
  return answerHtml(writeUntrusted({ base, person }), 403);
}

function refuseUnknown({ base }: Place, person: Person, isPlace: boolean): ApiAnswer {
  const message = isPlace
    ? 'This address takes another kind of request.'
    : 'There is no page at this address.';
  return answerHtml(writeMessagePage({ title: 'Not found', base, person }, message), isPlace ? 405 : 404);
}

const BUSY = 'The dashboard cannot answer this at the moment. Try again in a few seconds.';
const BROKEN = 'The database or the queue did not answer. Try again; the log of the dashboard says more.';

/** The page of whatever fails outside of a page. */
function errorPages({ base, logger }: VisitsPlace): AnswerError {
  return createAnswerError({
    logger,
    write: (error) => {
      const { status, message } = describeError(error, 'eng');
      const page = (title: string, text: string) =>
        writeMessagePage({ title, base, person: undefined }, text);
      if (status !== 500) return answerHtml(page('Refused', message), status);
      const isBroken = error.code === 'internalError' || error.code === 'databaseUnavailable';
      return answerHtml(page('Not available', isBroken ? BROKEN : BUSY), 503);
    },
  });
}
