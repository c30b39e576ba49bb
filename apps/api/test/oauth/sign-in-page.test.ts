import { createAccessToken, createUser } from '@takt/access';
import { setTimeUnit } from '@takt/figures/master-data';
import { opened } from '@takt/test-support';
import type { TimeUnit } from '@takt/texts';
import { expect } from 'chai';
import { insertStructureVersions } from '../support/insert-rows.js';
import { cookieOf, type Form, LIST, openSignInPlace, PASSWORD, REDIRECT_URI } from './sign-in-place.js';

/**
 * The address of an HTML page. It includes the company, because the service would otherwise redirect to an address with
 * a company.
 */
const PAGE = `${LIST}?$db=TEM-NO`;
const HTML = { Accept: 'text/html' };
const TYPED = { ...HTML, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none' };
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('The sign-in page', () => {
  const place = opened(openSignInPlace);

  const credentials = () => ({ login: place.pid, password: PASSWORD });
  const signIn = async (path = '/oauth2', form: Form = credentials(), headers = {}) =>
    place.post(path, form, headers);

  it('starts a session for HTML pages and data; scripts and other sites cannot use the cookie of the session', async () => {
    const response = await signIn(`/oauth2?return=${encodeURIComponent(`${LIST}?$top=5`)}`);
    expect(response.status).to.equal(303);
    expect(response.headers.get('location')).to.equal(`${place.baseUrl}${LIST}?$top=5`);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('set-cookie')).to.match(
      /^takt_session=takt_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const cookie = cookieOf(response);
    for (const accept of ['text/html', 'application/json', 'application/xml']) {
      const page = await place.get(PAGE, { Cookie: `other=1; ${cookie}`, Accept: accept });
      expect(page.status, accept).to.equal(200);
      expect(page.headers.get('vary')).to.include('Cookie');
      expect(page.headers.get('access-control-allow-credentials')).to.equal(null);
      expect(await page.text()).not.to.include(cookie.slice('takt_session='.length));
    }
  });

  it('redirects to the root if no page was requested; the root leads to the production times of products', async () => {
    const location = async (form: Form) => (await signIn('/oauth2', form)).headers.get('location');
    expect(await location(credentials())).to.equal(`${place.baseUrl}/`);
    const opened = await place.get('/?$db=TEM-NO', { ...HTML, Cookie: cookieOf(await signIn()) });
    expect(opened.status).to.equal(303);
    expect(decodeURIComponent(opened.headers.get('location') ?? '')).to.equal(
      `${place.baseUrl}/product/products/aggregated-production-times?$db=TEM-NO&$filter=HoursOverPlan gt 0&$orderby=HoursOverPlan desc&view=overview&$top=10`,
    );
    const { token } = await createAccessToken(place.database, {
      ...{ companyCodes: ['TEM-NO'], expiresInMs: 60_000, duties: ['read-error-messages'] },
    });
    expect(await location({ token })).to.equal(`${place.baseUrl}/`);
  });

  it('starts a session that is used only by requests without a token', async () => {
    const Cookie = cookieOf(await signIn());
    expect((await place.get(LIST, { Cookie, Authorization: 'Bearer takt_nonsense' })).status).to.equal(403);
    expect((await place.get(`${LIST}?$access_token=nonsense`, { Cookie })).status).to.equal(403);
    expect((await place.get(LIST, { Cookie: `${Cookie}; ${Cookie}` })).status).to.equal(403);
    expect(
      (await place.get(LIST, { Cookie: 'takt_session=nonsense', Authorization: `Bearer ${place.token}` }))
        .status,
    ).to.equal(200);
  });

  it('is not shown after a sign-in; pages then show the name of the person', async () => {
    const page = await (await place.get(PAGE, { ...HTML, Cookie: cookieOf(await signIn()) })).text();
    expect(page)
      .to.include('Signed in as Larsen')
      .and.to.include('/oauth2/logout')
      .and.not.to.include('type="password"');
    const stranger = await place.get(LIST, HTML);
    expect(stranger.status).to.equal(403);
    expect(stranger.headers.get('cache-control')).to.equal('no-store');
    const text = await stranger.text();
    expect(text).to.include('type="password"').and.not.to.include('/oauth2/logout');
  });

  it('says after ten wrong passwords in how many minutes the person can try again', async () => {
    const person = { name: 'Berg', companyCodes: ['TEM-NO'], roles: ['planner'], password: PASSWORD };
    const pid = String(await createUser(place.database, person));
    for (let tries = 0; tries < 10; tries += 1) await signIn('/oauth2', { login: pid, password: 'wrong' });
    const refused = await signIn('/oauth2', { login: pid, password: PASSWORD });
    expect(cookieOf(refused)).to.equal('');
    const [, minutes] = /failed too often\. Try again in (\d+) min\./.exec(await refused.text()) ?? [];
    expect(Number(minutes)).to.be.within(10, 15);
  });

  it('redirects only to addresses of this service', async () => {
    const response = await signIn(`/oauth2?return=${encodeURIComponent('//evil.example')}`);
    expect(response.headers.get('location')).to.equal(`${place.baseUrl}/`);
  });

  it('shows the error after a failed sign-in, and is never cached', async () => {
    for (const [form, status, text] of [
      [{ ...credentials(), password: 'wrong password' }, 403, 'password is wrong'],
      [{ ...credentials(), login: 'Nobody' }, 403, 'password is wrong'],
      [{ login: place.pid }, 403, 'password is wrong'],
      [{ token: 'nonsense' }, 403, 'token is not valid'],
      ['login=1&login=2', 400, 'did not arrive'],
      ['%ff', 400, 'did not arrive'],
    ] as const) {
      const response = await signIn('/oauth2?return=%2Fx', form);
      expect(response.status, text).to.equal(status);
      expect(response.headers.get('set-cookie')).to.equal(null);
      expect(response.headers.get('cache-control')).to.equal('no-store');
      const page = await response.text();
      expect(page).to.include(text).and.to.include('action="').and.to.include('return=%2Fx');
      expect(page).not.to.include('wrong password');
      const login = typeof form === 'object' && 'login' in form ? form.login : undefined;
      expect(/name="login" value="([^"]*)"/.exec(page)?.[1], text).to.equal(login);
    }
    const german = await signIn('/oauth2', { login: 'x', password: 'y' }, { 'Accept-Language': 'de' });
    expect(await german.text()).to.include('<html lang="de">');
    expect((await place.get('/oauth2')).headers.get('cache-control')).to.equal('no-store');
  });

  it('is the page at the root as long as nobody is signed in; the resources have an address of their own', async () => {
    const root = await place.get('/', HTML);
    expect(root.status).to.equal(200);
    expect(await root.text())
      .to.include('name="login"')
      .and.not.to.include('class="index"');
    const resources = await (await place.get('/?view=resources', HTML)).text();
    expect(resources).to.include('class="index"').and.not.to.include('name="login"');
    const inside = await place.get('/?$db=TEM-NO', { ...HTML, Cookie: cookieOf(await signIn()) });
    expect(inside.headers.get('location')).to.include('/product/products/aggregated-production-times');
  });

  it('has the language that was chosen on any page', async () => {
    const chosen = await place.get('/?$lang=deu', HTML);
    const cookie = chosen.headers.get('set-cookie') ?? '';
    expect(cookie).to.match(/^takt_language=deu; Path=\/[^;]*; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
    const Cookie = cookie.split(';')[0] ?? '';
    const next = await place.get('/oauth2', { ...HTML, Cookie });
    expect(await next.text()).to.include('<html lang="de">');
    const again = await place.get('/?$lang=deu', { ...HTML, Cookie });
    expect(again.headers.get('set-cookie')).to.equal(null);
    expect(
      (await place.get(LIST, { Cookie, Accept: 'application/json' })).headers.get('set-cookie'),
    ).to.equal(null);
  });

  it('is followed by pages of the company and in the unit of the page that was shown last', async () => {
    const session = cookieOf(await signIn());
    const choose = async (query: string) =>
      cookieOf(await place.get(LIST + query, { ...HTML, Cookie: session }));
    const company = await choose('?$db=TEM-SE');
    expect(company).to.equal('takt_company=TEM-SE');
    const next = await place.get(LIST, { ...HTML, Cookie: `${session}; ${company}` });
    expect(next.headers.get('location')).to.include('$db=TEM-SE');
    const foreign = await place.get(LIST, { ...HTML, Cookie: `${session}; takt_company=OTHER` });
    expect(foreign.headers.get('location')).to.include('$db=TEM-NO');
    await insertStructureVersions(place.database.pool, [{ id: 1 }]);
    await insertStructureVersions(place.database.pool, [{ id: 1 }]);
    for (const code of ['TEM-NO;Domain=x', 'x'.repeat(21), '\r\n']) {
      const crafted = `/?view=resources&$db=${encodeURIComponent(code)}`;
      expect(cookieOf(await place.get(crafted, { ...HTML, Cookie: session })), code).to.equal('');
    }
    const unit = await choose('?$db=TEM-NO&unit=min');
    expect(unit).to.equal('takt_unit=min');
    const inMinutes = await place.get(`${LIST}?$db=TEM-NO`, { ...HTML, Cookie: `${session}; ${unit}` });
    expect(await inMinutes.text()).to.match(/aria-current="true">min</);
  });

  it('is followed by pages in the unit of the company until a person chooses another', async () => {
    await insertStructureVersions(place.database.pool, [{ id: 1 }]);
    const shown = async (session: string, choice = '') => {
      const page = await place.get(`${LIST}?$db=TEM-NO`, { ...HTML, Cookie: `${session}${choice}` });
      return /aria-current="true">(h|min|h:mm)</.exec(await page.text())?.[1];
    };
    const signInWith = async (unit: TimeUnit) => {
      await setTimeUnit(place.database, 'TEM-NO', unit);
      return cookieOf(await signIn());
    };
    const session = await signInWith('min');
    expect(await shown(session)).to.equal('min');
    expect(await shown(session, '; takt_unit=h:mm')).to.equal('h:mm');
    expect(await shown(session, '; takt_unit=h')).to.equal('h');
    expect(await shown(await signInWith('h'))).to.equal('h');
  });

  it('leads to the first view of a list if another app links to the list', async () => {
    const { headers } = await place.get(`${LIST}?view=opening&$db=TEM-NO`, HTML);
    expect(new URL(headers.get('location') ?? '', place.origin).searchParams.get('$filter')).to.equal(
      'HoursOverPlan gt 0',
    );
  });

  it('leads to the pages of operators, which have an address below the API', async () => {
    const page = await place.get('/operations/rejected?company=TEM-NO', HTML);
    expect([page.status, page.headers.get('location')]).to.deep.equal([
      303,
      'http://127.0.0.1:1/rejected?company=TEM-NO',
    ]);
    expect((await place.get('/operations//evil.example', HTML)).headers.get('location')).to.equal(
      'http://127.0.0.1:1//evil.example',
    );
  });

  it('rejects forms from other sites', async () => {
    const Cookie = cookieOf(await signIn());
    for (const [path, form] of [
      ['/oauth2', credentials()],
      ['/oauth2', { token: place.token }],
      ['/oauth2/logout', {}],
    ] as const) {
      const response = await place.post(path, form, { ...HTML, Cookie, 'Sec-Fetch-Site': 'cross-site' });
      expect(response.status, path).to.equal(403);
      expect(response.headers.get('set-cookie')).to.equal(null);
    }
    expect((await place.get(LIST, { Cookie })).status).to.equal(200);
  });

  it('starts a session; signing out ends the session and its token', async () => {
    const Cookie = cookieOf(await signIn());
    const response = await place.post('/oauth2/logout?$lang=deu&$db=TEM-SE', {}, { ...HTML, Cookie });
    expect(response.status).to.equal(303);
    expect(response.headers.get('location')).to.equal(`${place.baseUrl}/oauth2?$lang=deu&$db=TEM-SE`);
    expect(response.headers.get('set-cookie')).to.match(/^takt_session=; .*Max-Age=0$/);
    expect((await place.get(LIST, { Cookie })).status).to.equal(403);
    const program = await place.post('/oauth2/logout', {}, { Cookie: cookieOf(await signIn()) });
    expect(program.status).to.equal(200);
  });

  it('starts a session with a pasted token, which stays valid after signing out', async () => {
    const response = await signIn('/oauth2', { token: ` ${place.token} ` });
    expect(response.status).to.equal(303);
    const Cookie = cookieOf(response);
    const page = await (await place.get(PAGE, { ...HTML, Cookie })).text();
    expect(page).to.include('Signed in with a token').and.not.to.include(place.token);
    await place.post('/oauth2/logout', {}, { ...HTML, Cookie });
    // The test reads the database, because the API accepts even a revoked token for some seconds.
    const revoked =
      "SELECT count(*)::int FROM takt.access_tokens WHERE revoked_at IS NOT NULL AND kind <> 'page'";
    expect((await place.database.pool.query(revoked)).rows).to.deep.equal([{ count: 0 }]);
  });

  it('is not needed for an address with a token; only browsers are redirected to the address without the token', async () => {
    for (const name of ['$access_token', '$ACCESSTOKEN', '%24access_token']) {
      const path = `${LIST}?$top=5&${name}=${place.token}&$filter=${encodeURIComponent("ProductName eq 'a&b'")}`;
      const typed = await place.get(path, TYPED);
      expect(typed.status).to.equal(303);
      const location = typed.headers.get('location') ?? '';
      expect(location).to.equal(
        `${place.baseUrl}${LIST}?$top=5&$filter=ProductName%20eq%20'a%26b'&$db=TEM-NO`,
      );
      const followed = await place.get(location.slice(place.baseUrl.length), {
        ...TYPED,
        Cookie: cookieOf(typed),
      });
      expect(followed.status).to.equal(200);
      expect(await followed.text()).not.to.include(place.token);
      for (const headers of [
        HTML,
        { ...TYPED, 'Sec-Fetch-Site': 'cross-site' },
        { ...TYPED, 'Sec-Fetch-Site': 'same-site' },
        { ...TYPED, 'Sec-Fetch-Mode': 'cors' },
        { ...TYPED, Accept: 'application/json' },
      ]) {
        const page = await place.get(path, headers);
        expect(page.status, JSON.stringify(headers)).to.equal(200);
        expect(page.headers.get('set-cookie')).to.equal(null);
        expect(await page.text()).not.to.include(place.token);
      }
    }
    const wrong = await place.get(`${LIST}?$access_token=nonsense`, TYPED);
    expect(wrong.status).to.equal(403);
    expect(await wrong.text())
      .to.include('token is not valid')
      .and.not.to.include('nonsense');
  });

  describe('for a client', () => {
    const asking = (changes: Readonly<Record<string, string | undefined>> = {}) => {
      const asked = {
        ...{ response_type: 'code', client_id: place.client.id, redirect_uri: REDIRECT_URI, state: 'a b&c' },
        ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', ...changes },
      };
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, value);
      return `/oauth2?${query}`;
    };

    it('shows the name of the client, and can redirect only to the client', async () => {
      const response = await place.get(asking());
      expect(await response.text())
        .to.include('Line display')
        .and.not.to.include('name="token"');
      expect(response.headers.get('content-security-policy')).to.include(
        "form-action 'self' https://client.example;base-uri 'none'",
      );
    });

    it('shows an error for an unknown client or redirect address, without a redirect', async () => {
      const repeated = `${asking()}&redirect_uri=https%3A%2F%2Fevil.example`;
      for (const path of [
        asking({ client_id: '999999' }),
        asking({ client_id: undefined }),
        asking({ redirect_uri: undefined }),
        asking({ redirect_uri: 'https://evil.example/' }),
        asking({ redirect_uri: `${REDIRECT_URI}&more` }),
        asking({ redirect_uri: REDIRECT_URI.replace('client', 'CLIENT') }),
        repeated,
      ]) {
        for (const response of [await place.get(path), await signIn(path)]) {
          expect(response.status, path).to.equal(400);
          expect(response.headers.get('location')).to.equal(null);
          expect(await response.text()).not.to.include('type="password"');
        }
      }
    });

    it('redirects to the client with the error, unless the client or its redirect address is wrong', async () => {
      for (const [error, path] of [
        ['unsupported_response_type', asking({ response_type: 'token' })],
        ['unsupported_response_type', asking({ response_type: undefined })],
        ['invalid_request', asking({ code_challenge: undefined })],
        ['invalid_request', asking({ code_challenge: 'short' })],
        ['invalid_request', asking({ code_challenge_method: 'plain' })],
        ['invalid_request', asking({ code_challenge_method: undefined })],
        ['invalid_request', `${asking()}&scope=a&scope=b`],
      ] as const) {
        const response = await place.get(path);
        expect(response.status, path).to.equal(303);
        const location = new URL(response.headers.get('location') ?? '');
        expect(location.origin + location.pathname).to.equal('https://client.example/signed-in');
        expect(Object.fromEntries(location.searchParams)).to.deep.include({
          ...{ from: 'takt', error, state: 'a b&c', iss: place.baseUrl },
        });
      }
    });

    it('lets a signed-in person agree to continue', async () => {
      const Cookie = cookieOf(await signIn());
      const page = await (await place.get(asking(), { Cookie })).text();
      expect(page).to.include('name="continue"').and.not.to.include('type="password"');
      const response = await signIn(asking(), { continue: '1' }, { Cookie });
      const location = new URL(response.headers.get('location') ?? '');
      expect(location.searchParams.get('code')).to.be.a('string');
      expect(location.searchParams.get('state')).to.equal('a b&c');
      expect((await signIn(asking(), { continue: '1' })).status).to.equal(403);
      // A session with a pasted token does not count as signed in here, because other people may know that token too.
      const given = cookieOf(await signIn('/oauth2', { token: place.token }));
      expect(await (await place.get(asking(), { Cookie: given })).text()).to.include('type="password"');
    });
  });
});
