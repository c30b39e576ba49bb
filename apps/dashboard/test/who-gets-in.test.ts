import { randomUUID } from 'node:crypto';
import { createApiClient, revokeAccessToken } from '@takt/access';
import { parseEvent } from '@takt/events';
import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import { addCompany, disableCompany } from '@takt/figures/master-data';
import { listRejectionIds } from '@takt/rejections';
import { completion, opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard, PASSWORD, READS_ALL, type Signed } from './support/open-test-dashboard.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

describe('access to the dashboard', () => {
  const test = opened(openTestDashboard);
  let operator: Signed;
  let reader: Signed;
  let norwegian: Signed;

  before(async () => {
    operator = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['operator'], duties: READS_ALL });
    reader = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['planner'] });
    norwegian = await test.addPerson(['TEM-NO'], { roles: ['operator'], duties: READS_ALL });
    await test.reject([
      { jobId: 'bad-1', data: completion(1, { runTime: -1 }) },
      {
        jobId: 'bad-2',
        data: { ...completion(2, { database: 'TEM-SE', runTime: -1 }), source: '/swedish-line' },
      },
      { jobId: 'bad-3', data: { ...completion(3, { database: 'TEM-XX' }), source: '/nobodys-line' } },
    ]);
    // A worker has applied an event of each company. The versions of both events are missing in the master data.
    for (const [database, source] of [
      ['TEM-NO', '/norwegian-line'],
      ['TEM-SE', '/swedish-line'],
    ] as const) {
      const parsed = parseEvent(completion(1, { database }));
      if (!parsed.ok) throw new Error('the event breaks a rule');
      await applyWorkOrderOperationEvents(test.database.pool, [parsed.event as WorkOrderOperationEvent]);
      const worker = { worker_id: randomUUID(), host: 'h', pid: 1, version: 'v', queues: [] };
      const heard = { database, source, last_event_at: new Date(), last_event_id: 'event-1' };
      await test.database.pool.query('SELECT takt.note_worker_report($1, $2)', [
        ...[JSON.stringify(worker), JSON.stringify([heard])],
      ]);
    }
  });

  /** Reads all data that no request of this suite may change. */
  const state = async () => {
    const ids = await listRejectionIds(test.database.pool);
    const counts = await test.queue.getJobCounts('failed', 'waiting', 'delayed');
    return { ids, isPaused: await test.queue.isPaused(), counts };
  };

  const everyAddress = () => [
    ...new Set([
      ...test.dashboard.routes.filter(({ access }) => access !== 'everybody').map(({ path }) => path),
      ...['/nothing', '/assets/live.js', '/sign-in/', '/rejected/', '/queues/', '/queues/api/queues'],
      ...['/metrics/x', '//live', '/%6cive'],
    ]),
  ];

  it('requires a sign-in, so that without it every address returns only the page to sign in', async () => {
    const before = await state();
    for (const path of everyAddress()) {
      for (const method of METHODS) {
        for (const token of [undefined, 'nonsense', `takt_${'A'.repeat(43)}`]) {
          const { status, text, headers } = await test.ask(method, path, { token });
          const about = `${method} ${path} ${token}`;
          expect(status, about).to.equal(403);
          if (method !== 'HEAD') expect(text, about).to.match(/<h1>(?:Sign in|Your session has ended)<\/h1>/);
          expect(text, about).not.to.match(/line-3|event-1|<script/);
          expect(headers.get('cache-control'), about).to.equal('no-store');
          expect(headers.get('content-security-policy'), about).to.include("default-src 'none'");
          expect(headers.get('content-security-policy'), about).to.include("frame-ancestors 'none'");
          expect(headers.get('x-content-type-options'), about).to.equal('nosniff');
        }
      }
    }
    expect(await state()).to.deep.equal(before);
  });

  it('needs no sign-in for health and metrics', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await test.ask('GET', path)).status, path).to.equal(200);
    }
    const { text } = await test.ask('GET', '/metrics');
    expect(text).to.include('takt_http_requests_total{route="/rejected",status="403",format="html"}');
    expect(text).not.to.match(/route="\/nothing"/);
  });

  it('is granted by a session that began on the pages of the API; a pasted token stays valid after signing out', async () => {
    const page = await test.ask('GET', '/', { token: operator.token });
    expect(page.text)
      .to.include('href="http://127.0.0.1:1/product/products/aggregated-production-times?view=opening"')
      .and.to.include('href="http://127.0.0.1:1/?view=resources"');
    await test.ask('POST', '/sign-out', { token: `${operator.token}.given`, form: {} });
    expect((await test.ask('GET', '/', { token: operator.token })).status).to.equal(200);
  });

  it('is granted by PID and password with a cookie until the person signs out', async () => {
    const wrong = await test.ask('POST', '/sign-in', {
      form: { login: String(operator.pid), password: 'wrong' },
    });
    expect(wrong.status).to.equal(403);
    expect(wrong.text)
      .to.include('The name, the number or the password is wrong')
      .and.to.include(`name="login" value="${operator.pid}"`);
    const form = { login: String(operator.pid), password: PASSWORD };
    const answer = await test.ask('POST', '/sign-in?return=%2Frejected%3Fcompany%3DTEM-NO', { form });
    expect([answer.status, answer.location]).to.deep.equal([303, '/rejected?company=TEM-NO']);
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).to.match(/^takt_session=takt_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const token = /=([^;]+)/.exec(cookie)?.[1];
    expect((await test.ask('GET', '/rejected', { token })).status).to.equal(200);
    expect((await test.ask('POST', '/sign-out', { token, form: {} })).location).to.equal('/sign-in');
    await waitUntil(
      'the session has ended',
      async () => (await test.ask('GET', '/', { token })).status === 403,
      15_000,
    );
  });

  it('is refused after ten wrong passwords; the page says in how many minutes the person can try again', async () => {
    const { pid } = await test.addPerson(['TEM-NO'], { roles: ['operator'], duties: READS_ALL });
    const signIn = (password: string) =>
      test.ask('POST', '/sign-in', { form: { login: String(pid), password } });
    for (let tries = 0; tries < 10; tries += 1) await signIn('wrong');
    const refused = await signIn(PASSWORD);
    expect(refused.status).to.equal(403);
    const [, minutes] = /failed too often\. Try again in (\d+) min\./.exec(refused.text) ?? [];
    expect(Number(minutes)).to.be.within(10, 15);
  });

  it('never redirects to another site after the sign-in', async () => {
    const form = { login: String(operator.pid), password: PASSWORD };
    const answer = await test.ask('POST', '/sign-in?return=//evil.example', { form });
    expect([answer.status, answer.location]).to.deep.equal([303, '/']);
  });

  const ownForm = () => ({
    ...{ id: test.idOf('bad-1'), event: JSON.stringify(completion(1)), action: 'discard' },
    until: '9999999999999',
  });

  it('is refused to forms from other sites', async () => {
    const before = await state();
    const uploads = test.dashboard.uploads.map(({ path }) => ({ method: 'POST', path }) as const);
    const posts = [...test.dashboard.routes.filter(({ method }) => method === 'POST'), ...uploads];
    expect(posts.length).to.equal(25);
    for (const { method, path } of posts) {
      const sent = path === '/sign-in' ? { login: String(operator.pid), password: PASSWORD } : ownForm();
      const headers = { 'sec-fetch-site': 'cross-site' };
      const answer = await test.ask(method, path, { token: operator.token, headers, form: sent });
      expect(answer.status, path).to.equal(403);
      expect(answer.text, path).to.include('Another site has sent this');
      expect(answer.headers.get('set-cookie'), path).to.equal(null);
    }
    expect(await state()).to.deep.equal(before);
    expect((await test.ask('GET', '/', { token: operator.token })).status).to.equal(200);
  });

  it('permits only reading without the duty to operate the queues', async () => {
    const before = await state();
    for (const { method, path } of test.dashboard.routes.filter(({ access }) =>
      access.includes('operate-queues'),
    )) {
      const answer = await test.ask(method, path, {
        token: reader.token,
        ...(method === 'POST' ? { form: ownForm() } : {}),
      });
      expect(answer.status, path).to.equal(403);
      expect(answer.text, path).to.include('operate-queues');
    }
    expect(await state()).to.deep.equal(before);
    for (const path of ['/', '/rejected', `/rejected/event?id=${test.idOf('bad-1')}`, '/queues']) {
      const page = await test.ask('GET', path, { token: reader.token });
      expect(page.status, path).to.equal(200);
      expect(page.text, path).not.to.match(
        /action="\/rejected\/(?:correct|retry|discard|bulk)"|action=retry|method="post" action="\/queues\//,
      );
    }
  });

  it('is refused to tokens that may only publish', async () => {
    const client = { name: 'MES', isPublic: true, permissions: ['publish-events'] };
    const { clientId } = await createApiClient(test.database, client);
    const before = await state();
    for (const rights of [{ mayPublish: true }, { clientId }, { clientId, mayPublish: true }]) {
      const token = await test.createToken(rights);
      const about = JSON.stringify(rights);
      for (const path of ['/', '/rejected', `/rejected/event?id=${test.idOf('bad-1')}`, '/queues']) {
        const { status, text } = await test.ask('GET', path, { token });
        expect([status, text.includes('event-1')], `${path} ${about}`).to.deep.equal([403, false]);
      }
      expect(
        (await test.ask('POST', '/rejected/discard', { token, form: ownForm() })).status,
        about,
      ).to.equal(403);
      const form = { queue: 'work-order-operations' };
      expect((await test.ask('POST', '/queues/pause', { token, form })).status, about).to.equal(403);
    }
    expect(await state()).to.deep.equal(before);
  });

  it('is granted to tokens without a person; only a duty permits operating the queues', async () => {
    const reading = await test.createToken({});
    expect((await test.ask('GET', '/rejected', { token: reading })).status).to.equal(200);
    expect(
      (await test.ask('POST', '/rejected/discard', { token: reading, form: ownForm() })).status,
    ).to.equal(403);
    const duties = ['operate-queues', 'read-production-times'] as const;
    const operating = await test.createToken({ mayPublish: true, duties });
    const none = { ...ownForm(), id: '999999' };
    expect((await test.ask('POST', '/rejected/discard', { token: operating, form: none })).status).to.equal(
      404,
    );
  });

  it('does not include the data of other companies', async () => {
    const { token } = norwegian;
    // The dashboard reads sources and master data every 10 s.
    await waitUntil(
      'who sees both companies sees their sources',
      async () => (await test.ask('GET', '/', { token: operator.token })).text.includes('swedish-line'),
      15_000,
    );
    const [ofBoth, ofOne] = [
      (await test.ask('GET', '/', { token: operator.token })).text,
      (await test.ask('GET', '/', { token })).text,
    ];
    expect(ofBoth).to.include('2 operations').and.to.include('norwegian-line');
    expect(ofOne).to.include('1 operation').and.to.include('norwegian-line');
    for (const path of ['/', '/rejected']) {
      const { status, text } = await test.ask('GET', path, { token });
      expect(status, path).to.equal(200);
      expect(text, path).not.to.match(/TEM-SE|swedish|nobodys|TEM-XX/);
    }
    expect((await test.ask('GET', '/rejected', { token })).text).to.include('event-1');
    expect((await test.ask('GET', `/rejected/event?id=${test.idOf('bad-1')}`, { token })).status).to.equal(
      200,
    );
    const before = await state();
    for (const job of ['bad-2', 'bad-3', 'none']) {
      const id = test.idOf(job);
      const { status, text } = await test.ask('GET', `/rejected/event?id=${id}`, { token });
      expect([status, /swedish|nobodys/.test(text)], job).to.deep.equal([404, false]);
      for (const action of ['correct', 'retry', 'discard']) {
        const form = { id, event: JSON.stringify(completion(9)) };
        expect((await test.ask('POST', `/rejected/${action}`, { token, form })).status, action).to.equal(404);
      }
    }
    const event = JSON.stringify(completion(1, { database: 'TEM-SE' }));
    const form = { id: test.idOf('bad-1'), event };
    const elsewhere = await test.ask('POST', '/rejected/correct', { token, form });
    expect([elsewhere.status, elsewhere.text.includes('one of your companies')]).to.deep.equal([400, true]);
    expect(await state()).to.deep.equal(before);
    for (const path of ['/queues', '/queues/job?queue=work-order-operations&id=bad-2']) {
      const { status, text } = await test.ask('GET', path, { token });
      expect([status, text.includes('companies that are not yours')], path).to.deep.equal([403, true]);
    }
    for (const path of ['/queues/pause', '/queues/resume', '/queues/take', '/queues/remove']) {
      const changed = { queue: 'work-order-operations', id: 'bad-2' };
      expect((await test.ask('POST', path, { token, form: changed })).status, path).to.equal(403);
    }
    expect(await state()).to.deep.equal(before);
  });

  it('includes queues and events without a company only with the right to all companies, even new ones', async () => {
    const all = await test.addPerson(['TEM-NO'], { roles: ['system-operator'], duties: READS_ALL });
    await addCompany(test.database, 'TEM-DK', 'Company TEM-DK');
    // The dashboard reads the registered companies every 3 s.
    await waitUntil(
      'those who had all lack one',
      async () => (await test.ask('GET', '/queues', { token: operator.token })).status === 403,
      15_000,
    );
    const lists = await Promise.all(
      [all, operator, norwegian].map(
        async ({ token }) => (await test.ask('GET', '/rejected', { token })).text,
      ),
    );
    const [ofAll = '', ofTwo = '', ofOne = ''] = lists;
    expect(ofAll).to.include('nobodys-line').and.to.include('3 events broke a rule');
    expect(ofAll).not.to.include('more rejected events are of companies');
    expect(ofTwo)
      .to.include('2 events broke a rule')
      .and.to.include('1 more rejected event is of a company that you may not see');
    expect(ofOne)
      .to.include('2 more rejected events are of companies that you may not see')
      .and.to.include('system-operator');
    expect((await test.ask('GET', '/', { token: norwegian.token })).text).to.include(
      '2 more rejected events are of companies',
    );
    expect((await test.ask('GET', '/queues', { token: all.token })).status).to.equal(200);
    const event = JSON.stringify(completion(9, { database: 'TEM-DK' }));
    const form = { id: test.idOf('bad-3'), event };
    expect((await test.ask('POST', '/rejected/correct', { token: all.token, form })).status).to.equal(303);
  });

  it('does not include disabled companies, although the right to all companies must cover them', async () => {
    const { token } = norwegian;
    for (const code of ['TEM-SE', 'TEM-DK']) await disableCompany(test.database, code, true);
    await waitUntil('the dashboard knows', async () => {
      const event = JSON.stringify(completion(1, { database: 'TEM-SE' }));
      const form = { id: test.idOf('bad-1'), event };
      const { text } = await test.ask('POST', '/rejected/correct', { token, form });
      return text.includes('must be the code of a registered company');
    });
    const { text } = await test.ask('GET', '/rejected', { token });
    expect(text).not.to.match(/TEM-SE|swedish|nobodys|TEM-XX/);
    expect((await test.ask('GET', '/queues', { token })).status).to.equal(403);
    for (const code of ['TEM-SE', 'TEM-DK']) await disableCompany(test.database, code, false);
  });

  it('ends within 5 s after the token was revoked, or at once if the request changes data', async () => {
    const { token } = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['operator'], duties: READS_ALL });
    expect((await test.ask('GET', '/rejected', { token })).status).to.equal(200);
    await revokeAccessToken(test.database, token);
    const before = await state();
    expect((await test.ask('POST', '/rejected/discard', { token, form: ownForm() })).status).to.equal(403);
    expect(
      (await test.ask('POST', '/queues/pause', { token, form: { queue: 'work-order-operations' } })).status,
    ).to.equal(403);
    expect(await state()).to.deep.equal(before);
    await waitUntil(
      'it is out',
      async () => (await test.ask('GET', '/rejected', { token })).status === 403,
      15_000,
    );
  });
});
