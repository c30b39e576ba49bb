import { SESSION_COOKIE } from '@takt/access';
import { completion, exchange, openConnection, opened, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard, READS_ALL, type Signed } from './support/open-test-dashboard.js';

const FORM = 'application/x-www-form-urlencoded';
/** This text is larger than the buffers of the sockets, so a part of it arrives only if the dashboard keeps reading. */
const LARGE = 3_900_000;

describe('a form posted to the dashboard', () => {
  const test = opened(openTestDashboard);
  let operator: Signed;
  let reader: Signed;

  before(async () => {
    operator = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['operator'], duties: READS_ALL });
    reader = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['planner'] });
    await test.reject([{ jobId: 'bad', data: completion(1, { runTime: -1 }) }]);
  });

  const post = (path: string, body: string, token: string | undefined, headers = {}, type = FORM) => {
    const session = token === undefined ? {} : { Cookie: `${SESSION_COOKIE}=${token}` };
    const length = { 'Content-Length': String(Buffer.byteLength(body)), 'Content-Type': type };
    const head = request(path, { ...length, ...session, ...headers }, 'POST');
    return exchange(test.dashboard.port, head + body);
  };
  const correction = (text: string) => new URLSearchParams({ id: test.idOf('bad'), event: text }).toString();

  it('can contain the largest possible event', async () => {
    const { status, body } = await post('/rejected/correct', correction('x'.repeat(LARGE)), operator.token);
    expect(status).to.equal(400);
    expect(body.toString()).to.include('The text is no JSON');
  });

  it('is read completely before the answer, even if the sender has no right', async () => {
    const text = correction('x'.repeat(LARGE));
    const foreign = { Origin: 'https://evil.example' };
    for (const [token, headers, said] of [
      [undefined, {}, 'Sign in'],
      [reader.token, {}, 'operate-queues'],
      [operator.token, foreign, 'Another site has sent this'],
    ] as const) {
      const { status, body } = await post('/rejected/correct', text, token, headers);
      expect([status, body.includes(said)], said).to.deep.equal([403, true]);
    }
  });

  it('has no effect if it exceeds the limit of its page or is no form', async () => {
    for (const [path, text, type, said] of [
      ['/rejected/correct', correction('x'.repeat(4_000_000)), FORM, 'the form is larger than 4000000 bytes'],
      ['/rejected/discard', `id=${'x'.repeat(17_000)}`, FORM, 'the form is larger than 16384 bytes'],
      ['/rejected/discard', `id=${test.idOf('bad')}`, 'text/plain', `the form is not ${FORM}`],
    ] as const) {
      const { status, body } = await post(path, text, operator.token, {}, type);
      expect([status, body.includes(`Nothing was done: ${said}.`)], said).to.deep.equal([400, true]);
    }
    expect(await test.countRejected()).to.equal(1);
  });

  it('gets a page with an error at an address without forms and at an unknown address', async () => {
    for (const [path, expected] of [
      ['/rejected', 405],
      ['/rejected/event', 405],
      ['/nothing', 404],
    ] as const) {
      const { status, body } = await post(path, 'a=b', operator.token);
      expect(status, path).to.equal(expected);
      expect(body.toString()).to.include('Signed in as Person');
    }
  });

  it('gets a page with an error if the request is broken or the database does not answer', async () => {
    const broken = await openConnection(test.dashboard.port);
    broken.send('GET nonsense\r\n\r\n');
    const { status, headers, body } = await broken.answer();
    expect(status).to.equal(400);
    expect(headers).to.include({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).to.include("default-src 'none'");
    expect(body.toString()).to.match(/<h1>The HTTP request could not be read\./);
    await test.database.pool.query('REVOKE EXECUTE ON FUNCTION takt.find_access_token FROM takt_dashboard');
    await waitUntil('what was known of the token is forgotten', async () => {
      const page = await test.ask('GET', '/rejected', { token: operator.token });
      if (page.status !== 503) return false;
      expect(page.text).to.include('The database or the queue did not answer.');
      expect(page.text).not.to.include('permission denied');
      return true;
    });
    // This is the code of PostgreSQL for insufficient privileges.
    expect(test.log()).to.include('"code":"42501"');
  });
});
