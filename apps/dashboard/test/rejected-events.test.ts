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

/**
 * The number of rejected events. They fill many pages. Most of them are in the queue, and the rest are in the table.
 */
const ALL = shareOf(10_000);
const IN_QUEUE = 0.6 * ALL;
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
    const idOf = (jobId: string) => `work-order-operations/${jobId}`;
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
    /** Moves a rejected event from its queue to the database, as a worker does if the queue has too many. */
    const moveToTable = async (jobId: string) => {
      const found = await test.queue.getJob(jobId);
      await test.database.pool.query(
        `INSERT INTO takt.rejected_events (content_sha256, queue, job_id, job_name, event_source, event_id, event_type, reason,
           deliveries, data, added_at, rejected_at)
         VALUES (sha256(convert_to($1, 'UTF8')), 'work-order-operations', $1, 'event', '/line-3', 'x', 'y', $2, 1, $3, now(), now())`,
        [jobId, found?.failedReason, JSON.stringify(found?.data)],
      );
      await test.queue.remove(jobId);
    };

    it('say so if no event is rejected', async () => {
      const { text } = await get('/rejected');
      expect(text).to.include('Nothing is rejected.');
      expect(await findHtmlFaults(text)).to.deep.equal([]);
    });

    it('list the events of queue and table, group them by reason, and filter them by their properties', async () => {
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
        job('a-4', 4, { data: 'no event', reason: '' }),
        job('a-5', 5),
      ]);
      await moveToTable('a-5');
      // A person who has changed nothing may see a list that is up to a second old.
      await waitUntil('all are listed', async () => (await listed('')).length === 5);
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
      expect(await listed('?rule=%28none%29')).to.deep.equal([idOf('a-4')]);
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
      expect(page.text).not.to.include('<script>alert');
      expect(page.text).to.include('&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;');
      expect(await findHtmlFaults(page.text)).to.deep.equal([]);
      expect((await get('/rejected?text=alert')).text).not.to.include('<script>alert');
      expect((await post('/rejected/discard', { id: idOf('b-1') })).location).to.equal(
        '/rejected?done=discarded',
      );
      expect((await get(`/rejected/event?id=${idOf('b-1')}`)).status).to.equal(404);
      expect(await listed('?done=discarded')).not.to.include(idOf('b-1'));
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
        const { status, text } = await post('/rejected/correct', { id: idOf('a-1'), event, back: 'page=2' });
        expect(status).to.equal(400);
        expect(text).to.include(problem);
        expect(text).to.include(event.replaceAll('"', '&quot;'));
        expect(text).to.include('name="back" value="page=2"');
        expect(await findHtmlFaults(text)).to.deep.equal([]);
      }
      expect(await listed('')).to.include(idOf('a-1'));
      expect(await test.queue.getWaitingCount()).to.equal(0);
    });

    it('correct an event in its queue and in the database, and record the person', async () => {
      for (const jobId of ['a-1', 'a-5']) {
        const event = JSON.stringify(completion(77, { runTime: '2.5' }));
        const answer = await post('/rejected/correct', { id: idOf(jobId), event, back: 'company=TEM-NO' });
        expect([answer.status, answer.location]).to.deep.equal([
          303,
          '/rejected?company=TEM-NO&done=corrected',
        ]);
        expect(await listed('?done=corrected')).not.to.include(idOf(jobId));
      }
      const waiting = await test.queue.getJobs(['waiting']);
      expect(waiting.map(({ data }) => data)).to.deep.equal(
        Array(2).fill(completion(77, { runTime: '2.5' })),
      );
      expect(test.log()).to.include(
        `"pid":${operator.pid},"person":"Person","action":"correct","id":"${idOf('a-1')}"`,
      );
      expect(test.log()).not.to.include('runTime');
      await test.queue.drain();
    });

    it('retry an event, or say that another person was faster', async () => {
      expect((await post('/rejected/retry', { id: idOf('a-2') })).location).to.equal(
        '/rejected?done=retried',
      );
      expect(await test.queue.getJobState('a-2')).to.equal('waiting');
      expect((await post('/rejected/retry', { id: idOf('a-2') })).status).to.equal(404);
      await test.queue.drain();
    });

    it('change an event once of twelve changes at the same time, with one entry in the audit log', async () => {
      const names = ['d-0', 'd-1', 'd-2'];
      await test.reject(names.map((name, index) => job(name, 900 + index)));
      await moveToTable('d-2');
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
      const many = Array.from({ length: 120 }, (_, index) => job(`c-${index}`, 100 + index));
      await test.reject(many);
      const confirm = await get('/rejected/bulk?action=retry&text=c-&company=TEM-NO');
      expect(confirm.text).to.include('Retry 120 rejected events?');
      expect(await findHtmlFaults(confirm.text)).to.deep.equal([]);
      const until = /name="until" value="(\d+)"/.exec(confirm.text)?.[1] ?? '';
      await test.queue.remove('c-7');
      await test.reject([job('c-later', 500)]);
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
      const discarded = await post('/rejected/bulk', { action: 'discard', until: '9999999999999' });
      await waitUntil('the run has ended', async () =>
        (await get(discarded.location ?? '')).text.includes('It took'),
      );
      expect(await listed('')).to.deep.equal([]);
      expect(await test.queue.getJobCountByTypes('failed')).to.equal(0);
    });

    it(`list ${ALL} events in the order of rejection, each event once, on pages of 50`, async () => {
      const inQueue = Array.from({ length: IN_QUEUE }, (_, index) => job(`d-${index}`, 1_000 + index));
      await test.reject(inQueue);
      await test.database.pool.query(
        `INSERT INTO takt.rejected_events (content_sha256, queue, job_id, job_name, event_source, event_id, event_type, reason,
           deliveries, data, added_at, rejected_at)
         SELECT sha256(n::text::bytea), 'work-order-operations', 't-' || n, 'event', '/line-3', 'x', 'y', 'a reason', 1,
           $1, now(), now() - make_interval(secs => 3600 + n)
         FROM generate_series(1, $2::integer) AS n`,
        [JSON.stringify(completion(5)), ALL - IN_QUEUE],
      );
      await waitUntil('all are listed', async () =>
        (await get('/rejected')).text.includes(ALL.toLocaleString('en')),
      );
      const seen: string[] = [];
      const times: number[] = [];
      for (let page = 1; page <= ALL / 50; page += 1) {
        const startedAt = performance.now();
        const ids = await listed(`?page=${page}`);
        times.push(performance.now() - startedAt);
        expect(ids.length, `page ${page}`).to.equal(50);
        seen.push(...ids);
      }
      expect(new Set(seen).size).to.equal(ALL);
      expect(seen.slice(IN_QUEUE)).to.deep.equal(
        Array.from({ length: ALL - IN_QUEUE }, (_, index) => idOf(`t-${index + 1}`)),
      );
      expect(await listed('?page=999')).to.deep.equal(seen.slice(-50));
      if (process.env['TAKT_SHOW_TIMES'] !== undefined) {
        times.sort((one, other) => one - other);
        console.log(
          `pages of ${ALL}: median ${times[Math.floor(times.length / 2)]?.toFixed(0)} ms, slowest ${times.at(-1)?.toFixed(0)} ms`,
        );
      }
    });
  });
}
