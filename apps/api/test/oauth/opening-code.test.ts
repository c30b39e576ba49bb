import { createOpeningCode } from '@takt/access';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { cookieOf, openSignInPlace } from './sign-in-place.js';

const HTML = { Accept: 'text/html' };
const OPENED = { ...HTML, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none' };

describe('the address with a code from the command line', () => {
  const place = opened(openSignInPlace);

  const makeCode = () => createOpeningCode(place.database, Number(place.pid));
  const open = (code: string, headers: Readonly<Record<string, string>> = OPENED) =>
    place.get(`/open?code=${code}`, headers);
  const expectSession = async (response: Response) => {
    expect(response.status).to.equal(303);
    const page = await place.get('/?$db=TEM-NO', { ...HTML, Cookie: cookieOf(response) });
    expect(page.status).to.equal(303);
    expect(page.headers.get('location')).to.include('/product/products/aggregated-production-times?');
  };

  it('starts a session in a browser once, and redirects to an address without the code', async () => {
    const code = await makeCode();
    const first = await open(code);
    expect(first.status).to.equal(303);
    expect(first.headers.get('location')).to.equal(`${place.baseUrl}/`);
    expect(first.headers.get('cache-control')).to.equal('no-store');
    expect(first.headers.get('set-cookie')).to.match(
      /^takt_session=takt_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    await expectSession(first);
    const second = await open(code);
    expect(second.status).to.equal(403);
    expect(second.headers.get('set-cookie')).to.equal(null);
    expect(await second.text())
      .to.include('npx takt open')
      .and.include('type="password"');
    const again = await open(code, { ...OPENED, Cookie: cookieOf(first) });
    expect([again.status, again.headers.get('location')]).to.deep.equal([303, `${place.baseUrl}/`]);
    expect(again.headers.get('set-cookie')).to.equal(null);
  });

  it('is not used up by HEAD requests, link previews, prefetching and other sites', async () => {
    const code = await makeCode();
    const { origin } = place;
    const head = await fetch(`${origin}/open?code=${code}`, { method: 'HEAD', redirect: 'manual' });
    expect([head.status, head.headers.get('set-cookie')]).to.deep.equal([200, null]);
    const asBrowser = await place.head(`/open?code=${code}`, OPENED);
    expect([asBrowser.status, asBrowser.headers.get('set-cookie')]).to.deep.equal([200, null]);
    for (const headers of [
      {},
      { Accept: '*/*', 'User-Agent': 'Slackbot-LinkExpanding 1.0' },
      { ...OPENED, 'Sec-Purpose': 'prefetch;prerender' },
      { ...OPENED, Purpose: 'prefetch' },
      { ...OPENED, 'Sec-Fetch-Site': 'cross-site' },
      { ...OPENED, 'Sec-Fetch-Mode': 'no-cors' },
    ]) {
      const shown = await open(code, headers);
      expect(shown.status).to.equal(200);
      expect(shown.headers.get('set-cookie')).to.equal(null);
      expect(shown.headers.get('cache-control')).to.equal('no-store');
    }
    await expectSession(await open(code));
  });

  it('shows a button for the start of the session if the browser sends no Sec-Fetch headers', async () => {
    const code = await makeCode();
    const page = await (await open(code, { ...HTML, 'Accept-Language': 'de' })).text();
    expect(page).to.include('<html lang="de">').and.include(`name="code" value="${code}"`);
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
    expect(action).to.equal(`${place.baseUrl}/oauth2`);
    const foreign = await place.post('/oauth2', { code }, { ...HTML, Origin: 'https://evil.example' });
    expect(foreign.status).to.equal(403);
    await expectSession(await place.post('/oauth2', { code }, HTML));
    const second = await place.post('/oauth2', { code }, HTML);
    expect([second.status, second.headers.get('set-cookie')]).to.deep.equal([403, null]);
  });

  it('explains a wrong or expired code, and returns no error for a missing code', async () => {
    const expired = await makeCode();
    await place.database.pool.query(
      "UPDATE access_tokens SET created_at = now() - interval '1 h', expires_at = now() WHERE expires_at < now() + interval '1 h'",
    );
    for (const code of [expired, 'AAAA-AAAA-AAAA-AAAA', 'nonsense']) {
      const refused = await open(code);
      expect(refused.status, code).to.equal(403);
      expect(await refused.text(), code)
        .to.include('npx takt open')
        .and.not.include(code);
    }
    expect((await place.get('/open', OPENED)).status).to.equal(200);
    expect((await place.get('/open?code=a&code=b', OPENED)).status).to.equal(200);
  });

  it('never appears in the log with its code', async () => {
    const code = await makeCode();
    await open(code, HTML);
    await open(code);
    await open(code);
    expect(place.log.join('\n')).not.to.include(code);
  });
});
