import { inTransaction } from '@takt/database';
import { parseEvent } from '@takt/events';
import { words } from '@takt/events/internal';
import { recordRejections } from '@takt/rejections';
import { noteRefusals } from '@takt/rejections/refusals';
import { completion, findHtmlFaults, needsProgram, shareOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import {
  openTestDashboard,
  READS_ALL,
  type RejectedJob,
  type Signed,
  type Store,
  type TestDashboard,
} from './support/open-test-dashboard.js';

/** The number of rejected events. They fill many pages. */
const ALL = shareOf(10_000);
const RUN_TIME = 'data.runTime must be hours (got -1)';
const DATABASE = 'data.database must be the code of a registered company (got "TEM-XX")';

for (const store of ['PostgreSQL', 'Redis'] as const satisfies readonly Store[]) {
  describe(`with queues on ${store}, the pages of rejected events`, () => {
    let test: TestDashboard;
    let operator: Signed;

    before(async function () {
      if (store === 'Redis') needsProgram(this, 'redis-server');
      test = await openTestDashboard(store);
      operator = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['operator'], duties: READS_ALL });
    });
    after(() => test?.close());

    const get = (path: string) => test.ask('GET', path, { token: operator.token });
    const post = (path: string, form: Readonly<Record<string, string>>) =>
      test.ask('POST', path, { token: operator.token, form });
    const idOf = (jobId: string) => test.idOf(jobId);
    /** Returns the ids of the events that a page lists. */
    const listed = async (query: string) => {
      const { status, text } = await get(`/rejected${query}`);
      expect(status).to.equal(200);
      return [...text.matchAll(/\/rejected\/event\?id=([^&"]+)/g)].map(([, id = '']) =>
        decodeURIComponent(id),
      );
    };
    const job = (name: string, operation: number, more: Partial<RejectedJob> = {}): RejectedJob => ({
      jobId: name,
      data: completion(operation, { runTime: -1 }),
      reason: RUN_TIME,
      ...more,
    });
    it('say so if no event is rejected', async () => {
      const { text } = await get('/rejected');
      expect(text).to.include('Nothing is rejected.');
      expect(await findHtmlFaults(text)).to.deep.equal([]);
    });

    it('list what the intake refused, in the language of the reader, for people of the same companies', async () => {
      const { pool } = test.database;
      await test.createToken({ companyCodes: ['TEM-SE'], description: 'MES <Umeå>' });
      const { rows } = await pool.query<{ id: number }>(
        `SELECT access_token_id::float8 AS id FROM takt.access_tokens WHERE description = 'MES <Umeå>'`,
      );
      const token = rows[0]?.id ?? 0;
      const negative = words('must be hours as a number or plain decimal string from 0 to {0}', 9);
      await noteRefusals(pool, [
        {
          token,
          reason: 'a',
          error: { code: 'invalidEvent', broken: { field: 'data.runTime', rule: negative } },
          times: 1_234,
        },
        { token, reason: 'b', error: { code: 'tooManyEvents' }, times: 7 },
      ]);
      const { text } = await get('/rejected');
      expect(await findHtmlFaults(text)).to.deep.equal([]);
      expect(text).to.match(
        />1,234<\/td><th scope="row">MES &lt;Umeå&gt;<\/th><td class="reason">data.runTime must be/,
      );
      expect(text).to.include('The request holds more than … events.');
      const norwegian = await test.ask('GET', '/rejected', {
        token: operator.token,
        headers: { 'Accept-Language': 'nb' },
      });
      expect(norwegian.text).to.include('Forespørselen inneholder mer enn … hendelser.');
      const other = await test.addPerson(['TEM-NO'], { roles: ['operator'], duties: READS_ALL });
      expect((await test.ask('GET', '/rejected', { token: other.token })).text).not.to.include('MES ');
    });

    it('list the events, group them by reason, and filter them by their properties', async () => {
      await test.reject([
        job('a-1', 1),
        job('a-2', 2, {
          data: completion(2, { database: 'TEM-SE', runTime: -2 }),
          reason: RUN_TIME.replace('-1', '-2'),
        }),
        job('a-3', 3, {
          data: { ...completion(3, { database: 'TEM-XX' }), source: '/line-4' },
          reason: DATABASE,
        }),
        job('a-4', 4, { data: 'no event', reason: 'event must be a JSON object (got "no event")' }),
        job('a-5', 5),
      ]);
      const { text } = await get('/rejected');
      expect(await findHtmlFaults(text)).to.deep.equal([]);
      expect(text).to.match(/<td class="end">3<\/td><th scope="row"><a[^>]*>data.runTime must be hours<\/a>/);
      expect(text).to.include('All rejected events: 5');
      const all = ['a-1', 'a-2', 'a-3', 'a-4', 'a-5'].map(idOf);
      expect(await listed('')).to.have.members(all);
      expect(await listed('?company=TEM-SE')).to.deep.equal([idOf('a-2')]);
      expect(await listed('?source=%2Fline-4')).to.deep.equal([idOf('a-3')]);
      expect(await listed('?rule=data.runTime+must+be+hours')).to.have.members(
        ['a-1', 'a-2', 'a-5'].map(idOf),
      );
      expect(await listed('?company=%28none%29')).to.deep.equal([idOf('a-4')]);
      expect(await listed('?type=%28none%29')).to.deep.equal([idOf('a-4')]);
      expect(await listed('?text=EVENT-2')).to.deep.equal([idOf('a-2')]);
      expect(await listed('?queue=reference-data')).to.deep.equal([]);
      expect(await findHtmlFaults((await get('/rejected?text=nothing')).text)).to.deep.equal([]);
    });

    it('show the reason and the data of an event, even with hostile text', async () => {
      const text = '</textarea><script>alert(1)</script>&amp;\u0007';
      await test.reject([
        job('b-1', 10, { data: { ...completion(10), source: text }, reason: `source ${text}` }),
      ]);
      const page = await get(`/rejected/event?id=${idOf('b-1')}`);
      expect(page.text).to.include(
        'href="http://127.0.0.1:1/product/structure-versions/7/aggregated-production-times?%24db=TEM-NO"',
      );
      expect(page.text).not.to.include('<script>alert');
      expect(page.text).to.include('&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;');
      expect(await findHtmlFaults(page.text)).to.deep.equal([]);
      expect((await get('/rejected?text=alert')).text).not.to.include('<script>alert');
      expect((await post('/rejected/discard', { id: idOf('b-1') })).location).to.equal(
        '/rejected?done=discarded',
      );
      expect((await get(`/rejected/event?id=${idOf('b-1')}`)).status).to.equal(404);
      expect(await listed('?done=discarded')).not.to.include(idOf('b-1'));
      expect((await get('/rejected?done=discarded')).text).to.include(
        '<a href="/rejected/resolved">Undo</a>',
      );
    });

    it('refuse an invalid correction with the field and the rule, and keep the input', async () => {
      for (const [event, problem] of [
        ['{"id": ', 'The text is no JSON'],
        [
          JSON.stringify(completion(1, { runTime: '-3' })),
          'data.runTime must be hours as a number or plain decimal string',
        ],
        [
          JSON.stringify(completion(1, { database: 'TEM-XX' })),
          'data.database must be the code of a registered company',
        ],
      ] as const) {
        const { status, text } = await post('/rejected/correct', { id: idOf('a-1'), event, back: 'text=x' });
        expect(status).to.equal(400);
        expect(text).to.include(problem);
        expect(text).to.include(event.replaceAll('"', '&quot;'));
        expect(text).to.include('name="back" value="text=x"');
        expect(await findHtmlFaults(text)).to.deep.equal([]);
      }
      expect(await listed('')).to.include(idOf('a-1'));
      expect(await test.queue.getWaitingCount()).to.equal(0);
    });

    it('correct an event as text, and record the person', async () => {
      const corrected = completion(77, { runTime: '2.5', productStructureVersionId: 70 });
      for (const jobId of ['a-1', 'a-5']) {
        const event = JSON.stringify(corrected);
        const answer = await post('/rejected/correct', { id: idOf(jobId), event, back: 'company=TEM-NO' });
        expect([answer.status, answer.location]).to.deep.equal([
          303,
          '/rejected?company=TEM-NO&done=corrected&figures=70&of=TEM-NO',
        ]);
        expect((await get(answer.location ?? '')).text).to.include(
          '/product/structure-versions/70/aggregated-production-times?%24db=TEM-NO"',
        );
        expect(await listed('?done=corrected')).not.to.include(idOf(jobId));
      }
      const waiting = await test.queue.getJobs(['waiting']);
      expect(waiting.map(({ data }) => data)).to.deep.equal(Array(2).fill(corrected));
      expect(test.log()).to.include(
        `"pid":${operator.pid},"person":"Person","action":"correct","id":${idOf('a-1')}`,
      );
      expect(test.log()).not.to.include('runTime');
      await test.queue.drain();
    });

    it('correct an event by its fields, of which the broken one is preselected', async () => {
      const event = { ...completion(81, { runTime: -1, setupTime: 2, note: 'kept' }), source: '/form' };
      const problems = parseEvent(event);
      await inTransaction(test.database.pool, (session) =>
        recordRejections(session, [
          {
            queue: 'work-order-operations',
            text: JSON.stringify(event),
            problems: problems.ok ? [] : problems.problems,
          },
        ]),
      );
      const [id = ''] = await listed('?source=%2Fform');
      const ofMany = await get('/rejected/bulk?action=correct&source=%2Fform');
      expect(ofMany.text, 'the field that is wrong').to.match(/<option value="data.runTime" selected[^>]*>/);
      const page = await test.ask('GET', `/rejected/event?id=${id}`, {
        token: operator.token,
        headers: { 'accept-language': 'de' },
      });
      expect(page.text).to.include('data.runTime muss eine Stundenzahl von 0 bis 1000000 sein');
      expect(page.text).to.include('(erhalten: -1)');
      const [broken = ''] = /<input[^>]*autofocus[^>]*>/.exec(page.text) ?? [];
      expect(broken).to.include('name="field:data.runTime" value="-1"').and.to.include('aria-invalid="true"');
      expect(await findHtmlFaults(page.text)).to.deep.equal([]);
      const refused = await post('/rejected/correct', { id, 'field:data.runTime': '-2' });
      expect(refused.status).to.equal(400);
      expect(refused.text).to.include('name="field:data.runTime" value="-2"');
      const form = { id, 'field:data.runTime': ' 1.5 ', 'field:data.setupTime': '', 'field:source': '/form' };
      expect((await post('/rejected/correct', form)).status).to.equal(303);
      const { setupTime: _setupTime, ...data } = { setupTime: 0, ...event.data, runTime: '1.5' };
      expect((await test.queue.getJobs(['waiting'])).map((one) => one.data)).to.deep.equal([
        { ...event, data },
      ]);
      await test.queue.drain();
    });

    it('retry, correct or discard the events that are selected in the list', async () => {
      await test.reject([job('s-1', 61), job('s-2', 62), job('s-3', 63)]);
      const confirm = await get(`/rejected/bulk?action=discard&event=${idOf('s-1')}&event=${idOf('s-3')}`);
      expect(confirm.text).to.include('Discard 2 rejected events?').and.to.include('that you selected');
      const until = /name="until" value="(\S+Z)"/.exec(confirm.text)?.[1] ?? '';
      const hidden = [...confirm.text.matchAll(/name="event" value="(\d+)"/g)].map(([, id]) => id);
      expect(hidden).to.have.members([idOf('s-1'), idOf('s-3')]);
      const body = new URLSearchParams([
        ...hidden.map((id): [string, string] => ['event', id ?? '']),
        ['action', 'discard'],
        ['until', until],
      ]);
      const begun = await test.ask('POST', '/rejected/bulk', { token: operator.token, form: body });
      await waitUntil('the run has ended', async () =>
        (await get(begun.location ?? '')).text.includes('2 events discarded'),
      );
      expect(await listed(''))
        .to.include(idOf('s-2'))
        .and.not.to.include(idOf('s-1'));
    });

    it('retry an event, or say that another person was faster', async () => {
      expect((await post('/rejected/retry', { id: idOf('a-2') })).location).to.equal(
        '/rejected?done=retried&figures=7&of=TEM-SE',
      );
      expect(await test.queue.getWaitingCount()).to.equal(1);
      expect((await post('/rejected/retry', { id: idOf('a-2') })).status).to.equal(404);
      await test.queue.drain();
    });

    it('change an event once of twelve changes at the same time, with one entry in the audit log', async () => {
      const names = ['d-0', 'd-1', 'd-2'];
      await test.reject(names.map((name, index) => job(name, 900 + index)));
      const entries = async () => {
        const { rows } = await test.database.pool.query<{ count: number }>(
          "SELECT count(*)::integer AS count FROM takt.audit_log WHERE action ~ '^rejected-'",
        );
        return rows[0]?.count ?? 0;
      };
      for (const id of names.map(idOf)) {
        const before = await entries();
        const event = JSON.stringify(completion(9));
        const changes = Array.from({ length: 12 }, (_, index) =>
          post(`/rejected/${['correct', 'retry', 'discard'][index % 3]}`, { id, event }),
        );
        const statuses = (await Promise.all(changes)).map(({ status }) => status).sort();
        expect(statuses, id).to.deep.equal([303, ...Array.from({ length: 11 }, () => 404)]);
        expect((await entries()) - before, id).to.equal(1);
        expect((await get(`/rejected/event?id=${encodeURIComponent(id)}`)).status, id).to.equal(404);
      }
      await test.queue.drain();
    });

    it('retry or discard all events that match a filter, after showing their number, but no later events', async () => {
      const of = (operation: number) => ({
        data: { ...completion(operation, { runTime: -1 }), source: '/c-7' },
      });
      const many = Array.from({ length: 120 }, (_, index) => job(`c-${index}`, 100 + index, of(100 + index)));
      await test.reject(many);
      const confirm = await get('/rejected/bulk?action=retry&text=c-&company=TEM-NO');
      expect(confirm.text).to.include('Retry 120 rejected events?');
      expect(await findHtmlFaults(confirm.text)).to.deep.equal([]);
      const until = /name="until" value="(\S+Z)"/.exec(confirm.text)?.[1] ?? '';
      await post('/rejected/discard', { id: idOf('c-7') });
      await test.reject([job('c-later', 500, of(500))]);
      const form = { action: 'retry', text: 'c-', company: 'TEM-NO', until };
      const begun = await post('/rejected/bulk', form);
      expect(begun.location).to.match(/^\/rejected\/run\?id=/);
      let page = await get(begun.location ?? '');
      await waitUntil('the run has ended', async () => {
        page = await get(begun.location ?? '');
        return page.text.includes('It took');
      });
      expect(page.text).to.include('<h1>119 events retried</h1>');
      expect(await findHtmlFaults(page.text)).to.deep.equal([]);
      expect(await test.queue.getWaitingCount()).to.equal(119);
      expect(await listed('?text=c-')).to.deep.equal([idOf('c-later')]);
      await test.queue.drain();
      const discarded = await post('/rejected/bulk', {
        action: 'discard',
        until: '9999-12-31T23:59:59.000000Z',
      });
      await waitUntil('the run has ended', async () =>
        (await get(discarded.location ?? '')).text.includes('It took'),
      );
      expect(await listed('')).to.deep.equal([]);
      expect(await test.countRejected()).to.equal(0);
    });

    it(`list ${ALL} events in the order of rejection, each event once, on pages of 50`, async () => {
      await test.database.pool.query('TRUNCATE takt.rejections');
      await test.database.pool.query(
        `INSERT INTO takt.rejections (company_id, content_sha256, queue, event_id, data, reason, rule, last_at)
         SELECT 0, sha256(n::text::bytea), 'work-order-operations', 't-' || n, $1, 'a reason', 'a reason',
           now() - make_interval(secs => 3600 + n / 3)
         FROM generate_series(1, $2::integer) AS n`,
        [JSON.stringify(completion(5)), ALL],
      );
      const seen: string[] = [];
      let page = await get('/rejected');
      expect(page.text).to.include(`All rejected events: ${ALL.toLocaleString('en')}`);
      for (;;) {
        seen.push(...[...page.text.matchAll(/>t-(\d+)<\/a>/g)].map(([, n = '']) => n));
        const [, older] = /href="([^"]*before=[^"]*)"/.exec(page.text) ?? [];
        if (older === undefined) break;
        page = await get(older.replaceAll('&amp;', '&'));
      }
      expect(seen).to.have.lengthOf(ALL);
      const { rows } = await test.database.pool.query<{ n: string }>(
        'SELECT substr(event_id, 3) AS n FROM takt.rejections ORDER BY last_at DESC, rejection_id DESC',
      );
      expect(seen).to.deep.equal(rows.map(({ n }) => n));
      const [, newer = ''] = /href="([^"]*after=[^"]*)"/.exec(page.text) ?? [];
      const before = await get(newer.replaceAll('&amp;', '&'));
      expect([...before.text.matchAll(/>t-(\d+)<\/a>/g)].map(([, n = '']) => n)).to.deep.equal(
        seen.slice(-100, -50),
      );
    });
  });
}
