import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { SESSION_COOKIE } from '@takt/access';
import { createSetUpCode, listAuditEntries, listUsers } from '@takt/access/administration';
import { disableCompany, findMonthsInTimeZone, listCompanies } from '@takt/figures/master-data';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard, PASSWORD } from './support/open-test-dashboard.js';

/** The headers by which a browser says that a person opened the address. */
const OPENED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };
const FORM = {
  firstName: 'Kari',
  name: 'Nordmann',
  company: 'FA-1',
  companyName: 'Fabrikk <1>',
  timeZone: 'europe/oslo',
  password: PASSWORD,
};

describe('the page for the first person and company', () => {
  const test = openedForEach(openTestDashboard);
  /** Requests the page with a code. Not with fetch, which sets headers of a browser itself. */
  const visit = async (method: string, code: string, headers: OutgoingHttpHeaders) => {
    const sent = request(`${test.origin}/set-up?code=${code}`, { method, headers }).end();
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    answer?.resume();
    const [cookie = ''] = answer?.headers['set-cookie']?.[0]?.split(';') ?? [];
    return { status: answer?.statusCode, cookie, location: answer?.headers.location };
  };
  it('uses the code up only if a person opened the address, or with a button', async () => {
    const code = await createSetUpCode(test.database);
    for (const [method, headers] of [
      ['HEAD', OPENED],
      ['GET', {}],
      ['GET', { ...OPENED, 'sec-fetch-site': 'cross-site' }],
      ['GET', { ...OPENED, 'sec-purpose': 'prefetch' }],
    ] as const) {
      const { status, cookie } = await visit(method, code, headers);
      expect([status, cookie], method).to.deep.equal([200, '']);
    }
    const { origin } = test;
    const button = await test.ask('POST', '/set-up', { form: { code }, headers: { origin } });
    expect([button.status, button.location]).to.deep.equal([303, '/set-up']);
    const [cookie = ''] = button.headers.get('set-cookie')?.split(';') ?? [];
    expect((await post(cookie)).status).to.equal(200);
  });

  /** Opens the page with a code, like a browser. Returns the cookie of this browser; empty text if the page is closed. */
  const open = async (code: string) => {
    const { status, cookie, location } = await visit('GET', code, OPENED);
    expect([status, location]).to.deep.equal(
      cookie === '' ? [403, undefined] : [303, `${test.origin}/set-up`],
    );
    return cookie;
  };
  const post = (cookie: string, form: Readonly<Record<string, string>> = FORM, origin = test.origin) =>
    test.ask('POST', '/set-up', { form, headers: { origin, cookie } });

  it('registers both, signs the person in, and says the number and how data come in', async () => {
    const browser = await open(await createSetUpCode(test.database));
    expect((await test.ask('GET', '/set-up', { headers: { cookie: browser } })).status).to.equal(200);
    const done = await post(browser);
    expect(done.status, done.text).to.equal(200);
    expect(done.text).to.include('(PID) is 1001.');
    expect(done.text).to.include('takt token create --database FA-1 --publish');
    const cookie = done.headers.get('set-cookie') ?? '';
    const [, token] = new RegExp(`${SESSION_COOKIE}=([^;]+)`).exec(cookie) ?? [];
    const own = await test.ask('GET', '/access', { token });
    expect([own.status, own.text.includes('Signed in as Kari Nordmann')]).to.deep.equal([200, true]);

    const [person] = await listUsers(test.database);
    expect(person).to.deep.include({ pid: 1001, firstName: 'Kari', roles: ['administrator', 'planner'] });
    expect(person?.companyCodes).to.deep.equal(['FA-1', 'TEM-NO', 'TEM-SE']);
    const company = (await listCompanies(test.database)).find((one) => one.code === 'FA-1');
    expect(company).to.include({ name: 'Fabrikk <1>', timeZone: 'Europe/Oslo', isDemo: false });
    expect((await findMonthsInTimeZone(test.database)).get('FA-1')).to.equal(true);
    const entries = await listAuditEntries(test.database.pool, { limit: 20 });
    const noted = entries.filter(({ actor }) => actor === 'person 1001 Kari Nordmann');
    expect(noted.map(({ subject }) => subject)).to.include.members([
      'company FA-1',
      'person 1001 Kari Nordmann',
    ]);
  });

  it('is closed without a code, with a used code, and as soon as somebody is registered', async () => {
    const [code, unused] = [await createSetUpCode(test.database), await createSetUpCode(test.database)];
    for (const wrong of ['', 'AAAA-AAAA-AAAA-AAAA', `${code}A`]) {
      expect(await open(wrong), wrong).to.equal('');
      expect((await post(`takt_set_up=${wrong}`)).status, wrong).to.equal(403);
    }
    const [browser, other] = [await open(code), await open(unused)];
    expect((await post(browser, FORM, 'https://other.example')).status).to.equal(403);
    expect(await listUsers(test.database)).to.deep.equal([]);
    // If several requests come at the same time, one registers a person, and the others find the page closed.
    const answers = await Promise.all([post(browser), post(browser), post(other)]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403, 403]);
    expect(await listUsers(test.database)).to.have.length(1);
    for (const later of [code, unused, await createSetUpCode(test.database)]) {
      const { status, text } = await test.ask('POST', '/set-up', {
        form: { code: later },
        headers: { origin: test.origin },
      });
      expect([status, text.includes('takt open')]).to.deep.equal([403, true]);
    }
  });

  it('is open only for the browser that has opened it, however the code is known to others', async () => {
    const code = await createSetUpCode(test.database);
    const bare = code.replaceAll('-', '');
    expect((await post(`takt_set_up=${bare}`)).status, 'an unused code as cookie').to.equal(403);
    const browser = await open(code);
    expect(await open(code), 'a second browser').to.equal('');
    expect((await post('')).status, 'without the cookie').to.equal(403);
    expect((await post(`takt_set_up=${code}`)).status, 'with the code as cookie').to.equal(403);
    expect(await open(browser.replace('takt_set_up=', '')), 'with the cookie as code').to.equal('');
    expect(await listUsers(test.database)).to.deep.equal([]);
    expect((await post(browser)).status).to.equal(200);
  });

  it('does not take a token of the command line for a code', async () => {
    const token = await test.createToken({ description: 'set-up', duties: [] });
    expect(await open(token)).to.equal('');
  });

  it('shows the form again, without the password, if something is wrong', async () => {
    const browser = await open(await createSetUpCode(test.database));
    await disableCompany(test.database, 'TEM-SE', true);
    for (const [change, problem] of [
      [{ company: 'fa 1' }, 'capital letters'],
      [{ company: 'TEM-SE' }, 'is disabled'],
      [{ timeZone: 'CET' }, 'no such time zone'],
      [{ timeZone: 'Mars' }, 'no such time zone'],
      [{ name: ' ' }, 'Fill in the last name'],
      [{ companyName: '' }, 'Fill in the last name'],
      [{ password: 'too short' }, 'at least 10 characters'],
    ] as const) {
      const { status, text } = await post(browser, { ...FORM, ...change });
      expect([status, text.includes(problem)], problem).to.deep.equal([400, true]);
      expect(text).to.include('value="Kari"').and.not.to.include(PASSWORD);
    }
    const codes = (await listCompanies(test.database)).map((company) => company.code);
    expect(codes).to.deep.equal(['TEM-NO', 'TEM-SE']);
  });
});
