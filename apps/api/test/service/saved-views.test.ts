import { createAccessToken, createUser, disableUser } from '@takt/access';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { cookieOf, type Form, LIST, openSignInPlace, PASSWORD } from '../oauth/sign-in-place.js';

const SAVED = '/system/saved-views';
const IN_NORWAY = `${SAVED}?$db=TEM-NO`;
const FILTERED = `${LIST}?$filter=${encodeURIComponent("ProductName eq 'Ø & 50 %'")}&$orderby=RunTime%20desc&from=2025-04`;

interface Saved {
  readonly savedViewId: number;
  readonly name: string;
  readonly isOwn: boolean;
  readonly isShared: boolean;
  readonly path: string;
  readonly query: string;
}

describe('Saved views', function () {
  this.timeout(120_000);
  const place = opened(openSignInPlace);
  let larsen: string;
  let berg: string;

  before(async () => {
    const person = { name: 'Berg', companyCodes: ['TEM-NO'], roles: ['operator'], password: PASSWORD };
    const pid = await createUser(place.database, person);
    larsen = cookieOf(await place.post('/oauth2', { login: place.pid, password: PASSWORD }));
    berg = cookieOf(await place.post('/oauth2', { login: String(pid), password: PASSWORD }));
  });

  const post = (cookie: string, form: Form, path = IN_NORWAY, headers = {}) =>
    place.post(path, form, { Cookie: cookie, Accept: 'text/html', ...headers });
  const save = (cookie: string, name: string, more = {}, path = IN_NORWAY) =>
    post(cookie, { action: 'save', name, address: FILTERED, ...more }, path);
  const saved = async (cookie: string, query = '&$format=json&$orderby=Name', path = IN_NORWAY) => {
    const response = await place.get(`${path}${query}`, { Cookie: cookie });
    expect(response.status).to.equal(200);
    return ((await response.json()) as { savedViews: readonly Saved[] }).savedViews;
  };
  const page = async (cookie: string, path: string) => {
    const response = await place.get(path, { Cookie: cookie, Accept: 'text/html' });
    return { status: response.status, text: await response.text() };
  };
  const messageOf = async (response: Response) => /<h1>([^<]*)<\/h1>/.exec(await response.text())?.[1] ?? '';

  beforeEach(() => place.database.pool.query('DELETE FROM takt.saved_views'));

  it('are listed on the page of their list and on a page of all saved views, with links that open them', async () => {
    const { text } = await page(larsen, `${FILTERED}&$db=TEM-NO&$lang=deu&open=3`);
    const address = /name="address" value="([^"]*)"/.exec(text)?.[1] ?? '';
    const action = /<form method="post" class="quick" action="([^"]*saved-views[^"]*)"/.exec(text)?.[1] ?? '';
    const decoded = (html: string) => html.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
    const answer = await post(
      larsen,
      { action: 'save', name: ' Zweites Quartal ', address: decoded(address) },
      decoded(action).replace(place.baseUrl, ''),
    );
    expect(answer.status).to.equal(303);
    const location = answer.headers.get('location') ?? '';
    expect(new URL(location).searchParams.get('$filter')).to.equal("ProductName eq 'Ø & 50 %'");
    expect(Object.fromEntries(new URL(location).searchParams)).to.include({
      ...{ $orderby: 'RunTime desc', from: '2025-04', $lang: 'deu', $db: 'TEM-NO' },
    });
    const [view, ...others] = await saved(larsen);
    expect(others).to.deep.equal([]);
    expect(view).to.include({ name: 'Zweites Quartal', isOwn: true, isShared: false, path: LIST });
    expect(view?.query).not.to.match(/\$db|\$lang|open|pageKey/);
    for (const path of [`${LIST}?$db=TEM-NO`, IN_NORWAY]) {
      const shown = await page(larsen, path);
      const [, href = ''] = /<a href="([^"]*)">Zweites Quartal<\/a>/.exec(shown.text) ?? [];
      const { searchParams } = new URL(decoded(href));
      expect(searchParams.get('$filter'), path).to.equal("ProductName eq 'Ø & 50 %'");
      expect(searchParams.get('$db'), path).to.equal('TEM-NO');
    }
  });

  it('are visible to the company only if the owner shares them; only the owner can change them', async () => {
    await save(larsen, 'Mine');
    await save(larsen, 'Ours', { isShared: 'true' });
    await save(larsen, 'Swedish', { isShared: 'true' }, `${SAVED}?$db=TEM-SE`);
    expect((await saved(berg)).map(({ name, isOwn }) => [name, isOwn])).to.deep.equal([['Ours', false]]);
    expect((await saved(larsen)).map(({ name }) => name)).to.deep.equal(['Mine', 'Ours']);
    const views = await saved(larsen);
    const idOf = (name: string) => String(views.find((view) => view.name === name)?.savedViewId);
    for (const action of ['keep', 'share', 'delete']) {
      for (const name of ['Mine', 'Ours']) {
        const answer = await post(berg, { action, id: idOf(name) });
        expect(answer.status).to.equal(404);
        expect(await messageOf(answer)).to.include(`no saved view ${idOf(name)}`);
      }
    }
    // The view belongs to this company, so even its owner cannot delete it in another company.
    expect(
      (await post(larsen, { action: 'delete', id: idOf('Mine') }, `${SAVED}?$db=TEM-SE`)).status,
    ).to.equal(404);
    expect((await post(larsen, { action: 'share', id: idOf('Mine') })).status).to.equal(303);
    expect((await saved(berg)).map(({ name }) => name)).to.deep.equal(['Mine', 'Ours']);
    expect((await post(larsen, { action: 'keep', id: idOf('Ours') })).status).to.equal(303);
    expect((await post(larsen, { action: 'delete', id: idOf('Mine') })).status).to.equal(303);
    expect(await saved(berg)).to.deep.equal([]);
    expect((await saved(larsen)).map(({ name }) => name)).to.deep.equal(['Ours']);
  });

  it('are at most 100, also if many are saved at the same moment', async () => {
    for (let index = 1; index < 99; index++) await save(larsen, `View ${index}`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => save(larsen, `At once ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 303)).to.have.lengthOf(2);
    expect(await saved(larsen, '&$format=json&$top=80&$inlinecount=allpages')).to.have.lengthOf(80);
    const { rows } = await place.database.pool.query('SELECT FROM takt.saved_views');
    expect(rows).to.have.lengthOf(100);
  });

  it('are not saved for a person who is disabled while the save waits', async () => {
    const person = { name: 'Moe', companyCodes: ['TEM-NO'], roles: ['operator'], password: PASSWORD };
    const pid = await createUser(place.database, person);
    const moe = cookieOf(await place.post('/oauth2', { login: String(pid), password: PASSWORD }));
    const held = await place.database.pool.connect();
    try {
      await held.query('BEGIN');
      await held.query("SELECT pg_advisory_xact_lock(hashtext('takt saved views'), $1)", [pid]);
      const saving = save(moe, 'too late');
      await waitUntil('the save waits', async () => {
        const { rows } = await place.database.pool.query(
          "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
        );
        return rows.length > 0;
      });
      await disableUser(place.database, pid);
      await held.query('COMMIT');
      expect((await saving).status).not.to.equal(303);
      const { rows } = await place.database.pool.query('SELECT FROM takt.saved_views WHERE pid = $1', [pid]);
      expect(rows).to.deep.equal([]);
    } finally {
      held.release();
    }
  });

  it('need a name whose characters are all visible, and an address of at most 4,096 characters', async () => {
    for (const name of ['a\u200bb', '\u202eabc', 'a\u2066b', 'a\u00adb', 'a\u0007b']) {
      expect((await save(larsen, name)).status, JSON.stringify(name)).to.equal(400);
    }
    const address = (length: number) => `${LIST}?search=${'x'.repeat(length - 'search='.length)}`;
    expect((await save(larsen, 'longest', { address: address(4_096) })).status).to.equal(303);
    const refused = await save(larsen, 'too long', { address: address(4_097) });
    expect(refused.status).to.equal(400);
    expect(await messageOf(refused)).to.include('4096');
    expect((await saved(larsen)).map(({ name }) => name)).to.deep.equal(['longest']);
  });

  it('cannot be changed with a token of the person, which only reads', async () => {
    await save(larsen, 'mine');
    const [view] = await saved(larsen);
    const { token } = await createAccessToken(place.database, {
      ...{
        companyCodes: ['TEM-NO'],
        expiresInMs: 3_600_000,
        pid: Number(place.pid),
      },
    });
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: 'text/html',
      Origin: new URL(place.baseUrl).origin,
    };
    for (const form of [
      { action: 'delete', id: String(view?.savedViewId) },
      { action: 'share', id: String(view?.savedViewId) },
      { action: 'save', name: 'by token', address: FILTERED },
    ]) {
      expect((await place.post(IN_NORWAY, form, headers)).status, form.action).to.be.within(400, 404);
    }
    expect(await saved(larsen)).to.deep.equal([view]);
  });

  it('replace earlier views of the same name; each person can have up to 100 views', async () => {
    await save(larsen, 'Same');
    await save(larsen, 'Same', { address: `${LIST}?search=other`, isShared: 'true' });
    expect(await saved(larsen)).to.have.lengthOf(1);
    expect((await saved(larsen))[0]).to.include({ query: 'search=other', isShared: true });
    for (let index = 1; index < 100; index++) await save(larsen, `View ${index}`);
    const full = await save(larsen, 'One more');
    expect(full.status).to.equal(400);
    expect(await messageOf(full)).to.include('100');
    expect((await save(larsen, 'Same')).status).to.equal(303);
    expect((await save(berg, 'One more')).status).to.equal(303);
  });

  it('are not saved after an error in the form; the answer explains the error', async () => {
    for (const [form, text] of [
      [{ action: 'save', name: '', address: LIST }, '1 to 80 characters'],
      [{ action: 'save', name: 'x'.repeat(81), address: LIST }, '1 to 80 characters'],
      [{ action: 'save', name: 'x', address: '/nothing' }, 'address of a resource'],
      [{ action: 'save', name: 'x', address: 'https://evil.example/' }, 'address of a resource'],
      [{ action: 'save', name: 'x', address: `//evil.example${LIST}` }, 'address of a resource'],
      [{ action: 'save', name: 'x' }, 'address of a resource'],
      [{ action: 'steal', id: '1' }, 'save'],
      ['', 'save'],
      ['action=%ff', 'UTF-8'],
    ] as const) {
      const answer = await post(larsen, form);
      expect(answer.status, JSON.stringify(form)).to.equal(400);
      expect(await answer.text(), JSON.stringify(form)).to.include(text);
    }
    for (const id of ['', 'x', '0', '-1', '9'.repeat(30)]) {
      expect((await post(larsen, { action: 'delete', id })).status, id).to.equal(404);
    }
    expect((await save(larsen, '😀'.repeat(80))).status).to.equal(303);
    expect(await saved(larsen)).to.have.lengthOf(1);
  });

  it('can be saved only by signed-in people with a form of this service', async () => {
    const form = { action: 'save', name: 'x', address: LIST };
    const answer = await post(larsen, form, IN_NORWAY, { Origin: 'https://evil.example' });
    expect(answer.status).to.equal(403);
    expect(await messageOf(answer)).to.include('A page of another service has sent this form');
    const nobody = await place.post(IN_NORWAY, form);
    expect(nobody.status).to.equal(403);
    const byToken = { authorization: `Bearer ${place.token}` };
    const withoutPerson = await place.post(IN_NORWAY, form, byToken);
    expect(withoutPerson.status).to.equal(403);
    expect(await withoutPerson.text()).to.include('belong to a user');
    const foreign = await save(berg, 'x', {}, `${SAVED}?$db=TEM-SE`);
    expect(foreign.status).to.equal(403);
    expect((await place.database.pool.query('SELECT FROM takt.saved_views')).rowCount).to.equal(0);
  });

  it('cannot be changed with only the log-in of the API to the database', async () => {
    await save(larsen, 'Mine', { isShared: 'true' });
    const asApi = async (text: string) => {
      const client = await place.database.pool.connect();
      try {
        await client.query('SET ROLE takt_api');
        return await client.query(text).then(
          ({ rows }) => JSON.stringify(rows),
          (error: unknown) => String(error),
        );
      } finally {
        client.release(true);
      }
    };
    expect(await asApi("UPDATE takt.saved_views SET name = 'x'")).to.include('permission denied');
    expect(
      await asApi("SELECT takt.save_view(sha256('guessed'), 'TEM-NO', 'x', '/x', '', true) AS refused"),
    ).to.equal('[{"refused":"no-person"}]');
    expect(
      await asApi(
        "SELECT takt.change_view(sha256('guessed'), 'TEM-NO', (SELECT max(saved_view_id) FROM takt.saved_views), NULL)",
      ),
    ).to.include('false');
    expect(await saved(larsen)).to.have.lengthOf(1);
  });

  it('stay visible to their company if their owner is disabled', async () => {
    const person = { name: 'Gone', companyCodes: ['TEM-NO'], roles: ['planner'], password: PASSWORD };
    const pid = await createUser(place.database, person);
    const gone = cookieOf(await place.post('/oauth2', { login: String(pid), password: PASSWORD }));
    await save(gone, 'Left behind', { isShared: 'true' });
    await disableUser(place.database, pid);
    expect((await saved(berg)).map(({ name }) => name)).to.deep.equal(['Left behind']);
  });

  it('offer the companies of the reader if the shared address names a forbidden company', async () => {
    const address = `${LIST}?$db=TEM-SE&search=shaft&$lang=nob`;
    const { status, text } = await page(berg, address);
    expect(status).to.equal(403);
    expect(text).to.include('TEM-SE').and.to.include('Åpne denne siden i');
    const [, href = ''] = /<a href="([^"]*)">Tempus Norge<\/a>/.exec(text) ?? [];
    const { searchParams } = new URL(href.replaceAll('&amp;', '&'));
    expect(Object.fromEntries(searchParams)).to.include({ search: 'shaft', $db: 'TEM-NO', $lang: 'nob' });
    expect((await page(larsen, address)).status).to.equal(200);
    const json = await place.get(`${LIST}?$db=TEM-SE`, { Cookie: berg, Accept: 'application/json' });
    expect([json.status, (await json.text()).includes('Tempus Norge')]).to.deep.equal([403, false]);
  });

  it('have a list that also says if no view is saved yet', async () => {
    const { text } = await page(larsen, IN_NORWAY);
    expect(text).to.include('Nothing is saved yet.');
  });
});
