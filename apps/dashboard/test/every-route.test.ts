import {
  createApiClient,
  type Duty,
  disableUser,
  duties as everyDuty,
  revokeAccessToken,
  SESSION_COOKIE,
} from '@takt/access';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard } from './support/open-test-dashboard.js';

/** The right to use a route. Everybody has it, everybody who is signed in, or the holders of all these duties. */
interface Rule {
  readonly access: 'everybody' | 'signed-in' | readonly Duty[];
  /** The status for everybody, if the route has none of its own in this test. */
  readonly status?: number;
  /** True if the route also needs all companies. */
  readonly needsAllCompanies?: boolean;
}

const signedIn: Rule = { access: 'signed-in' };
const readers: Rule = { access: ['read-production-times'] };
const operators: Rule = { access: ['operate-queues'] };
const correctors: Rule = { access: ['operate-queues', 'read-production-times'] };
const managers: Rule = { access: ['manage-access'] };
const everybody: Rule = { access: 'everybody' };
const ofAllCompanies = (rule: Rule): Rule => ({ ...rule, needsAllCompanies: true });

/** The rights that each route needs. Add a rule here for each new route. */
const RULES: Readonly<Record<string, Rule>> = {
  'GET /sign-in': everybody,
  'POST /sign-in': { access: 'everybody', status: 403 },
  'POST /sign-out': everybody,
  // Both answer 403 as soon as somebody is registered (set-up.test.ts).
  'GET /set-up': { access: 'everybody', status: 403 },
  'POST /set-up': { access: 'everybody', status: 403 },
  // Both refuse without an invitation (invitations.test.ts).
  'GET /invitation': { access: 'everybody', status: 403 },
  'POST /invitation': { access: 'everybody', status: 403 },
  'GET /language': everybody,
  'GET /': signedIn,
  'GET /live': signedIn,
  'GET /alarms': signedIn,
  'POST /alarms/acknowledge': operators,
  'GET /rejected': readers,
  'GET /rejected/event': readers,
  'GET /rejected/resolved': readers,
  'POST /rejected/correct': correctors,
  'POST /rejected/retry': correctors,
  'POST /rejected/discard': correctors,
  'POST /rejected/run/undo': correctors,
  'POST /rejected/undo': correctors,
  'GET /rejected/bulk': correctors,
  'POST /rejected/bulk': correctors,
  'GET /rejected/run': correctors,
  'GET /import': correctors,
  'POST /import/upload': correctors,
  'GET /import/file': correctors,
  'POST /import/kind': correctors,
  'POST /import/preview': correctors,
  'POST /import/begin': correctors,
  'POST /import/stop': correctors,
  'POST /import/remove': correctors,
  'GET /import/faulty': correctors,
  'GET /import/undo': correctors,
  'POST /import/undo': correctors,
  'GET /queues': ofAllCompanies(signedIn),
  'GET /queues/job': ofAllCompanies(readers),
  'POST /queues/pause': ofAllCompanies(operators),
  'POST /queues/resume': ofAllCompanies(operators),
  'POST /queues/take': ofAllCompanies(operators),
  'POST /queues/remove': ofAllCompanies(operators),
  'GET /access': managers,
  'GET /access/add': managers,
  'POST /access/add': managers,
  'POST /access/invite': managers,
  'GET /access/clients': managers,
  'GET /access/tokens': managers,
  'GET /access/person': managers,
  'GET /access/client': managers,
  'GET /access/token': managers,
  'GET /access/audit-log': managers,
  'POST /access/change': managers,
};

/** A token, and what its holder has. A token that opens no page has no duties. */
interface Kind {
  readonly token: string | undefined;
  readonly duties?: readonly Duty[];
  readonly hasAllCompanies?: boolean;
}

describe('the access rules of all pages of the dashboard', () => {
  const test = opened(openTestDashboard);
  const kinds = new Map<string, Kind>();

  before(async () => {
    const both = ['TEM-NO', 'TEM-SE'] as const;
    const addPerson = async (name: string, duties: readonly Duty[], companies: readonly string[] = both) => {
      const { pid, token } = await test.addPerson(companies, { duties });
      kinds.set(name, { token, duties, hasAllCompanies: companies === both });
      return { pid, token };
    };
    await addPerson('of a person without duties', []);
    const { pid } = await addPerson('of a person with all duties', everyDuty);
    for (const duty of everyDuty) {
      await addPerson(`of a person with ${duty} alone`, [duty]);
      await addPerson(
        `of a person with all duties but ${duty}`,
        everyDuty.filter((one) => one !== duty),
      );
    }
    const own = everyDuty.filter((duty) => duty !== 'operate-all-companies');
    await addPerson('of a person with one company', own, ['TEM-NO']);
    const narrow: readonly Duty[] = ['read-error-messages'];
    const asPerson = { pid, duties: narrow };
    kinds.set('of a person, narrowed', {
      ...{ token: await test.createToken(asPerson), duties: narrow, hasAllCompanies: true },
    });
    kinds.set('of nobody', {
      token: await test.createToken({}),
      duties: everyDuty.filter((duty) => duty.startsWith('read-')),
      hasAllCompanies: true,
    });
    kinds.set('of nobody, to publish', { token: await test.createToken({ mayPublish: true, duties: [] }) });
    const permissions = ['production-times', 'error-messages', 'application-versions', 'publish-events'];
    const { clientId } = await createApiClient(test.database, {
      ...{ name: 'App', isPublic: true, permissions, roles: ['administrator'], companyCodes: both },
    });
    kinds.set('of a client', { token: await test.createToken({ clientId }) });
    kinds.set('of a client for a person', { token: await test.createToken({ clientId, pid }) });
    const disabled = await test.addPerson(both, { duties: everyDuty });
    await disableUser(test.database, disabled.pid);
    kinds.set('of a disabled person', { token: disabled.token });
    const revoked = await test.createToken({ pid });
    await revokeAccessToken(test.database, revoked);
    kinds.set('that was revoked', { token: revoked });
    kinds.set('that is unknown', { token: `takt_${'A'.repeat(43)}` });
    kinds.set('that is malformed', { token: 'takt_!' });
    kinds.set('that is missing', { token: undefined });
  });

  /** Returns the status and the text of an answer, without the text of a stream that never ends. */
  const ask = async (route: string, token: string | undefined) => {
    const [method = '', path = ''] = route.split(' ');
    if (path !== '/live') return test.ask(method, path, { token, ...(method === 'POST' && { form: {} }) });
    const end = new AbortController();
    const answer = await fetch(`${test.origin}${path}`, {
      headers: token === undefined ? {} : { cookie: `${SESSION_COOKIE}=${token}` },
      signal: end.signal,
    });
    const text = answer.status === 200 ? '' : await answer.text();
    end.abort();
    return { status: answer.status, text };
  };

  it('exist for every route, but for no other', () => {
    const routes = test.dashboard.routes.map(({ method, path }) => `${method} ${path}`);
    routes.push(...test.dashboard.uploads.map(({ path }) => `POST ${path}`));
    expect(routes.sort()).to.deep.equal(Object.keys(RULES).sort());
  });

  for (const [route, { access, status: always, needsAllCompanies = false }] of Object.entries(RULES)) {
    it(`allow or refuse each kind of token at ${route}`, async () => {
      for (const [name, { token, duties, hasAllCompanies = false }] of kinds) {
        // A sign-out would end the session that the other routes need.
        if (route === 'POST /sign-out' && duties !== undefined) continue;
        const { status, text } = await ask(route, token);
        const about = `a token ${name}: ${status}`;
        if (access === 'everybody') {
          expect(text, about).not.to.match(/needs the duty|line-3/);
          expect(status, about).to.equal(always ?? (route.startsWith('POST') ? 303 : status));
        } else if (duties === undefined) {
          expect(status, about).to.equal(403);
          expect(text, about).to.match(/<h1>(?:Sign in|Your session has ended)<\/h1>/);
        } else if (access !== 'signed-in' && !access.every((duty) => duties.includes(duty))) {
          expect(status, about).to.equal(403);
          expect(text, about).to.include(access.find((duty) => !duties.includes(duty)));
        } else if (needsAllCompanies && !hasAllCompanies && !duties.includes('operate-all-companies')) {
          expect(status, about).to.equal(403);
          expect(text, about).to.include('companies that are not yours');
        } else {
          // Without the parameters of the route, the right answer may be that there is no such thing, or what is missing.
          expect(status, about).to.be.oneOf([200, 303, 400, 404]);
        }
      }
    });
  }
});
