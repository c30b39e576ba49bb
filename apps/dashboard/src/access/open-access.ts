import {
  type AccessChange,
  addPerson,
  administer,
  EmailError,
  invitePerson,
  listAccessTokens,
  listApiClients,
  listAuditEntries,
  listRoles,
  listUsers,
  type RefusedChange,
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
import { addPage, invitedPage } from './invitation-pages.js';
import { type AccessKind, clientsPage, KINDS, nameOf, peoplePage, tokensPage } from './list-pages.js';

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
    get('/access/add', (_, visit, person) => answerAddForm(dependencies, visit, person)),
    {
      method: 'POST',
      path: '/access/add',
      access,
      answer: (visit, person) => add(dependencies, visit, person),
    },
    {
      method: 'POST',
      path: '/access/invite',
      access,
      answer: (visit, person) => invite(dependencies, visit, person),
    },
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
  const [companies, roles] = await readChoices(dependencies);
  const content = personPage({ person: found, companies, roles, ...contextOf(dependencies, visit) });
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

/** The codes of the companies, and the roles, that a person may get. */
async function readChoices({ pool, people }: AccessDependencies) {
  return [[...(await people.registeredCompanies())].sort(), await listRoles({ pool })] as const;
}

async function answerAddForm(
  dependencies: AccessDependencies,
  visit: Visit,
  person: Person,
  problem?: DashboardText,
): Promise<ApiAnswer> {
  const [companies, roles] = await readChoices(dependencies);
  const { words, form } = visit;
  const content = addPage({
    base: dependencies.site.base,
    words,
    companies: person.hasAllCompanies ? companies : companies.filter((code) => person.companies.has(code)),
    roles,
    form,
    problem: problem && words.say(problem),
  });
  return {
    ...answerPage(dependencies, visit, person, 'addPerson', content),
    status: problem === undefined ? 200 : 400,
  };
}

async function add(dependencies: AccessDependencies, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { pool, people, logger } = dependencies;
  const { form } = visit;
  const registered = await people.registeredCompanies();
  const entered = (name: string) => form.get(name)?.trim() || undefined;
  const wanted = {
    firstName: entered('firstName'),
    name: entered('name') ?? '',
    email: entered('email'),
    companyCodes: [...new Set(form.getAll('company'))].filter((code) => registered.has(code)),
    roles: form.getAll('role'),
  };
  if (wanted.name === '' || wanted.companyCodes.length === 0) {
    return answerAddForm(dependencies, visit, person, 'nameAndCompany');
  }
  try {
    const added = await addPerson(pool, person.token, wanted);
    const refused = 'refused' in added ? added.refused : undefined;
    logger.info({ pid: person.pid, person: person.name, ...wanted, refused }, 'a person was to be added');
    if ('refused' in added) return refuseChange(dependencies, visit, person, added.refused);
    const name = [wanted.firstName, wanted.name].filter((part) => part !== undefined).join(' ');
    return answerInvited(dependencies, visit, person, { ...added, name });
  } catch (error) {
    if (error instanceof EmailError) return answerAddForm(dependencies, visit, person, 'wrongEmail');
    throw error;
  }
}

async function invite(dependencies: AccessDependencies, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { pool, logger } = dependencies;
  const pid = idOf(visit.form);
  const found = (await listUsers(dependencies)).find((one) => one.pid === pid);
  if (found === undefined) return refuse(dependencies, visit, person, 'accessGone', 404);
  const invited = await invitePerson(pool, person.token, found.pid);
  const refused = 'refused' in invited ? invited.refused : undefined;
  logger.info(
    { pid: person.pid, person: person.name, invited: found.pid, refused },
    'a person was to be invited',
  );
  return 'refused' in invited
    ? refuseChange(dependencies, visit, person, invited.refused)
    : answerInvited(dependencies, visit, person, { ...invited, pid: found.pid, name: nameOf(found) });
}

interface Invited {
  readonly pid: number;
  readonly name: string;
  readonly code: string;
}

function answerInvited(
  dependencies: AccessDependencies,
  visit: Visit,
  person: Person,
  { pid, name, code }: Invited,
): ApiAnswer {
  const address = `${dependencies.baseUrl}/invitation?code=${code}`;
  const content = invitedPage({ base: dependencies.site.base, words: visit.words, pid, name, address });
  return answerPage(dependencies, visit, person, 'addPerson', content);
}

async function change(dependencies: AccessDependencies, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { pool, baseUrl, logger } = dependencies;
  const wanted = readChange(visit.form);
  if (wanted === undefined) return refuse(dependencies, visit, person, 'accessGone', 404);
  if ('companyCodes' in wanted && wanted.companyCodes.length === 0) {
    return refuse(dependencies, visit, person, 'noCompany', 400);
  }
  const refused = await administer(pool, person.token, wanted).catch((error: unknown) => {
    if (error instanceof EmailError) return 'wrong-email' as const;
    throw error;
  });
  logger.info({ pid: person.pid, person: person.name, ...wanted, refused }, 'access was to be changed');
  if (refused === 'wrong-email') return refuse(dependencies, visit, person, 'wrongEmail', 400);
  return refused === undefined
    ? answerRedirect(`${baseUrl}/access/${kindOf(wanted)}?id=${wanted.id}&done=changed`)
    : refuseChange(dependencies, visit, person, refused);
}

const REFUSALS = {
  yourself: ['notYourself', 409],
  unknown: ['accessGone', 404],
  'other-companies': ['notYourCompanies', 403],
  'not-allowed': ['notManager', 403],
} as const satisfies Readonly<Record<RefusedChange, readonly [DashboardText, number]>>;

function refuseChange(
  dependencies: AccessDependencies,
  visit: Visit,
  person: Person,
  refused: RefusedChange,
): ApiAnswer {
  const [problem, status] = REFUSALS[refused];
  return refuse(dependencies, visit, person, problem, status);
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
  if (kind === 'set-person-roles') return { kind, id, roles: form.getAll('role') };
  if (kind === 'set-person-email') return { kind, id, email: form.get('email')?.trim() || null };
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
