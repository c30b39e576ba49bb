import {
  type AccessChange,
  administer,
  listAccessTokens,
  listApiClients,
  listAuditEntries,
  listUsers,
} from '@takt/access';
import type { Database } from '@takt/database';
import type { ApiAnswer } from '@takt/http';
import type { Markup } from '@takt/pages';
import type { Logger } from '@takt/run';
import { type Site, writeMessagePage, writePage } from '../pages/frame.js';
import {
  answerHtml,
  answerRedirect,
  noticeOf,
  type PageRoute,
  type People,
  type Person,
  type Visit,
} from '../visit.js';
import type { DashboardText } from '../words.js';
import { auditPage } from './audit-page.js';
import { clientPage, personPage, tokenPage } from './detail-pages.js';
import { type AccessKind, clientsPage, KINDS, peoplePage, tokensPage } from './list-pages.js';

interface AccessDependencies {
  readonly pool: Database['pool'];
  readonly people: People;
  readonly baseUrl: string;
  readonly site: Site;
  readonly logger: Logger;
}

/** Maximum number of tokens in the list. Usually the newest tokens are wanted, and more tokens do not fit on a page. */
const MAX_TOKENS = 200;
const ENTRIES = 50;

/**
 * Makes the routes of the pages for people, clients, tokens and the audit log. The database checks and logs each
 * change.
 */
export function accessRoutes(dependencies: AccessDependencies): readonly PageRoute[] {
  const access = ['manage-access'] as const;
  const get = (path: string, answer: Answer): PageRoute => {
    return { method: 'GET', path, access, answer: (visit, person) => answer(dependencies, visit, person) };
  };
  return [
    get(KINDS.person.path, showPeople),
    get(KINDS.client.path, showClients),
    get(KINDS.token.path, showTokens),
    get('/access/person', showPerson),
    get('/access/client', showClient),
    get('/access/token', showToken),
    get('/access/audit-log', showAuditLog),
    {
      method: 'POST',
      path: '/access/change',
      access,
      answer: (visit, person) => change(dependencies, visit, person),
    },
  ];
}

type Answer = (dependencies: AccessDependencies, visit: Visit, person: Person) => Promise<ApiAnswer>;

const NOTICES = { changed: 'changedNotice' } as const;

const showPeople: Answer = async (dependencies, visit, person) => {
  const people = await listUsers(dependencies);
  return answerPage(
    dependencies,
    visit,
    person,
    'people',
    peoplePage({ people, ...contextOf(dependencies, visit) }),
  );
};

const showClients: Answer = async (dependencies, visit, person) => {
  const clients = await listApiClients(dependencies);
  return answerPage(
    dependencies,
    visit,
    person,
    'clients',
    clientsPage({ clients, ...contextOf(dependencies, visit) }),
  );
};

const showTokens: Answer = async (dependencies, visit, person) => {
  const valid = (await listAccessTokens(dependencies)).filter(({ state }) => state === 'valid').reverse();
  const tokens = valid.slice(0, MAX_TOKENS);
  const content = tokensPage({ tokens, count: valid.length, ...contextOf(dependencies, visit) });
  return answerPage(dependencies, visit, person, 'tokens', content);
};

const showPerson: Answer = async (dependencies, visit, person) => {
  const id = idOf(visit.query);
  const found = (await listUsers(dependencies)).find(({ pid }) => pid === id);
  if (found === undefined) return refuse(dependencies, visit, person, 'accessGone', 404);
  const companies = [...(await dependencies.people.registeredCompanies())].sort();
  const content = personPage({ person: found, companies, ...contextOf(dependencies, visit) });
  return answerPage(dependencies, visit, person, 'person', content);
};

const showClient: Answer = async (dependencies, visit, person) => {
  const id = idOf(visit.query);
  const found = (await listApiClients(dependencies)).find(({ clientId }) => clientId === id);
  if (found === undefined) return refuse(dependencies, visit, person, 'accessGone', 404);
  return answerPage(
    dependencies,
    visit,
    person,
    'client',
    clientPage({ client: found, ...contextOf(dependencies, visit) }),
  );
};

const showToken: Answer = async (dependencies, visit, person) => {
  const id = idOf(visit.query);
  const found = (await listAccessTokens(dependencies)).find(({ tokenId }) => tokenId === id);
  if (found === undefined) return refuse(dependencies, visit, person, 'accessGone', 404);
  return answerPage(
    dependencies,
    visit,
    person,
    'token',
    tokenPage({ token: found, ...contextOf(dependencies, visit) }),
  );
};

const showAuditLog: Answer = async (dependencies, visit, person) => {
  const text = (visit.query.get('text') ?? '').slice(0, 200);
  const before = Number(visit.query.get('before') ?? Number.NaN);
  const entries = await listAuditEntries(dependencies.pool, {
    limit: ENTRIES,
    text,
    ...(Number.isSafeInteger(before) && { beforeId: before }),
  });
  const nextBeforeId = entries.length === ENTRIES ? entries.at(-1)?.entryId : undefined;
  const content = auditPage({ entries, text, nextBeforeId, ...contextOf(dependencies, visit) });
  return answerPage(dependencies, visit, person, 'auditLog', content);
};

async function change(dependencies: AccessDependencies, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { pool, baseUrl, logger } = dependencies;
  const wanted = readChange(visit.form);
  if (wanted === undefined) return refuse(dependencies, visit, person, 'accessGone', 404);
  if ('companyCodes' in wanted && wanted.companyCodes.length === 0) {
    return refuse(dependencies, visit, person, 'noCompany', 400);
  }
  const refused = await administer(pool, person.token, wanted);
  logger.info({ pid: person.pid, person: person.name, ...wanted, refused }, 'access was to be changed');
  switch (refused) {
    case undefined:
      return answerRedirect(`${baseUrl}/access/${kindOf(wanted)}?id=${wanted.id}&done=changed`);
    case 'yourself':
      return refuse(dependencies, visit, person, 'notYourself', 409);
    case 'unknown':
      return refuse(dependencies, visit, person, 'accessGone', 404);
    case 'other-companies':
      return refuse(dependencies, visit, person, 'notYourCompanies', 403);
    case 'not-allowed':
      return refuse(dependencies, visit, person, 'notManager', 403);
  }
}

const SIMPLE = [
  'disable-person',
  'enable-person',
  'disable-client',
  'enable-client',
  'revoke-token',
] as const;

function readChange(form: URLSearchParams): AccessChange | undefined {
  const [kind, id] = [form.get('change'), idOf(form)];
  if (id === undefined) return undefined;
  if (kind === 'set-person-companies') {
    const codes = new Set(form.getAll('company'));
    const first = form.get('default') ?? '';
    // The default company comes first in the list.
    const companyCodes = [...(codes.has(first) ? [first] : []), ...codes].filter(
      (code, index, all) => all.indexOf(code) === index,
    );
    return { kind, id, companyCodes };
  }
  const simple = SIMPLE.find((one) => one === kind);
  return simple && { kind: simple, id };
}

function kindOf({ kind }: AccessChange): AccessKind {
  if (kind === 'revoke-token') return 'token';
  return kind.endsWith('-client') ? 'client' : 'person';
}

/** The largest number of a person, a client or a token: an integer of PostgreSQL. */
const MAX_ID = 2 ** 31 - 1;

function idOf(parameters: URLSearchParams): number | undefined {
  const text = parameters.get('id') ?? '';
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return id <= MAX_ID ? id : undefined;
}

function contextOf({ site }: AccessDependencies, visit: Visit) {
  return { base: site.base, words: visit.words, notice: noticeOf(visit, NOTICES) };
}

function answerPage(
  { site }: AccessDependencies,
  { words }: Visit,
  person: Person,
  title: DashboardText,
  content: Markup,
): ApiAnswer {
  return answerHtml(writePage({ title: words.say(title), words, site, person, path: '/access', content }));
}

function refuse(
  { site }: AccessDependencies,
  { words }: Visit,
  person: Person,
  problem: DashboardText,
  status: 400 | 403 | 404 | 409,
): ApiAnswer {
  const page = { title: words.say('refused'), words, site, person, path: '/access' };
  return answerHtml(writeMessagePage(page, words.say(problem)), status);
}
