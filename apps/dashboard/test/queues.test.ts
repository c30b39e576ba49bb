import { completion, completions, findHtmlFaults, needsProgram, opened } from '@takt/test-support';
import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { openTestDashboard, READS_ALL, type Signed } from './support/open-test-dashboard.js';

const NAME = 'work-order-operations';

for (const store of ['PostgreSQL', 'Redis'] as const) {
  describe(`the pages of the queues on ${store}`, () => {
    before(function () {
      if (store === 'Redis') needsProgram(this, 'redis-server');
    });
    const test = opened(() => openTestDashboard(store));
    let operator: Signed;
    let reader: Signed;

    before(async () => {
      operator = await test.addPerson(['TEM-NO'], { roles: ['system-operator'], duties: READS_ALL });
      reader = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['planner'] });
      await test.queue.addBulk([
        { name: 'first', data: completion(1), opts: { jobId: 'wo-first' } },
        ...Array.from({ length: 60 }, (_, at) => ({
          ...{ name: 'event', data: completion(at + 2) },
          opts: { jobId: `wo-${at}` },
        })),
        { name: '<b>later</b>', data: { text: '<script>' }, opts: { jobId: 'wo-later', delay: 3_600_000 } },
      ]);
    });

    const get = (path: string, { token } = operator) => test.ask('GET', path, { token });
    const post = (path: string, form: Readonly<Record<string, string>>, { token } = operator) =>
      test.ask('POST', path, { token, form });

    const audited = async () => {
      const { rows } = await test.database.pool.query<{ action: string; subject: string; details: object }>(
        "SELECT action, subject, details FROM takt.audit_log WHERE action ~ '^(queue|job)-' ORDER BY audit_entry_id",
      );
      return rows.map(({ action, subject, details }) => [action, subject, details]);
    };

    it('show the state of each queue, and its jobs in the order of processing', async () => {
      const { status, text } = await get('/queues');
      expect(status).to.equal(200);
      expect(text).to.include('Waiting jobs, work-order-operations: 61').and.to.include('1&ndash;50 of 61');
      expect(text.indexOf('wo-first')).to.be.below(text.indexOf('wo-0<')).and.above(0);
      expect(text, 'further pages have the same state').to.include(
        `queue=${NAME}&amp;state=waiting&amp;page=2`,
      );
      const last = (await get(`/queues?queue=${NAME}&state=waiting&page=2`)).text;
      expect(last).to.include('51&ndash;61 of 61').and.to.include('wo-59').and.not.to.include('wo-first');
      expect((await get(`/queues?queue=${NAME}&state=waiting&page=900`)).text).to.include(
        '51&ndash;61 of 61',
      );
      const delayed = (await get(`/queues?queue=${NAME}&state=delayed`)).text;
      expect(delayed).to.include('wo-later').and.to.include('&lt;b&gt;later');
      expect((await get('/queues?queue=nothing&state=nothing&page=x')).status).to.equal(200);
      expect(delayed, 'any job can be found by its id').to.match(
        new RegExp(`action="/queues/job"><input type="hidden" name="queue" value="${NAME}".*? name="id"`),
      );
    });

    it('show a single job with its data', async () => {
      const { text } = await get(`/queues/job?queue=${NAME}&id=wo-first`);
      expect(text)
        .to.include('&quot;workOrderOperationId&quot;: 1')
        .and.to.include('action="/queues/remove"');
      const later = (await get(`/queues/job?queue=${NAME}&id=wo-later`)).text;
      expect(later).to.include('action="/queues/take"');
      const whole = (await get(`/queues/job?queue=${NAME}&id=wo-later`, reader)).text;
      expect(whole).to.include('&lt;script&gt;').and.not.to.include('(hidden');
      expect((await get(`/queues/job?queue=${NAME}&id=wo-first`, reader)).text).not.to.include(
        '<form method="post" action="/queues/',
      );
      for (const path of [`?queue=${NAME}&id=none`, `?queue=${NAME}`, '?queue=none&id=wo-first', '']) {
        expect((await get(`/queues/job${path}`)).status, path).to.equal(404);
      }
    });

    it('pause and resume a queue', async () => {
      const paused = await post('/queues/pause', { queue: NAME });
      expect([paused.status, paused.location]).to.deep.equal([303, `/queues?queue=${NAME}&done=paused`]);
      expect(await test.queue.isPaused()).to.equal(true);
      const page = (await get(paused.location ?? '')).text;
      expect(page).to.include('The queue is paused').and.to.include('action="/queues/resume"');
      expect(page, 'its jobs are there still').to.include('wo-first');
      expect((await get('/')).text).to.include(`<strong>The queue ${NAME} is paused`);
      expect((await post('/queues/resume', { queue: NAME })).status).to.equal(303);
      expect((await get('/')).text, 'the overview knows it at once').not.to.include(
        `<strong>The queue ${NAME} is paused`,
      );
      expect(await test.queue.isPaused()).to.equal(false);
      expect((await post('/queues/pause', { queue: 'nothing' })).status).to.equal(303);
      expect(test.log()).to.include('a queue was paused');
      expect(await audited()).to.deep.equal([
        ['queue-paused', 'queue work-order-operations', {}],
        ['queue-resumed', 'queue work-order-operations', {}],
      ]);
    });

    it('promote or remove a job that no worker is processing', async () => {
      const waiting = await post('/queues/take', { queue: NAME, id: 'wo-1' });
      expect(waiting.status, 'it does not wait for a time').to.equal(409);
      expect((await post('/queues/take', { queue: NAME, id: 'wo-later' })).location).to.include('done=taken');
      expect(await test.queue.getJobState('wo-later')).to.equal('waiting');
      expect((await post('/queues/remove', { queue: NAME, id: 'wo-later' })).location).to.include(
        'done=removed',
      );
      expect(await test.queue.getJobState('wo-later')).to.equal('unknown');
      expect((await post('/queues/remove', { queue: NAME, id: 'wo-later' })).status).to.equal(404);
      const job = await test.claim();
      expect(job?.id).to.equal('wo-first');
      const active = (await get(`/queues?queue=${NAME}&state=active`)).text;
      expect(active).to.include('wo-first');
      expect((await get(`/queues/job?queue=${NAME}&id=wo-first`)).text).not.to.include(
        'action="/queues/remove"',
      );
      expect((await post('/queues/remove', { queue: NAME, id: 'wo-first' })).status).to.equal(409);
      expect(await test.queue.getJobState('wo-first')).to.equal('active');
      expect(test.log()).to.include('a job was removed');
      expect((await audited()).slice(-2)).to.deep.equal([
        ['job-taken', `${NAME}/wo-later`, { events: 1, ids: [null] }],
        ['job-removed', `${NAME}/wo-later`, { events: 1, ids: [null] }],
      ]);
      // PostgreSQL cannot store such an id, but a job in Redis may have it.
      const odd = store === 'Redis' ? { id: 'nul\0 and \ud800' } : { id: 'nul\ufffd and \ufffd' };
      // The last character of this id has two UTF-16 units, and the limit of the length is between them.
      const long = { id: `${'x'.repeat(254)}😀` };
      const batch = [...completions(30), long, odd].reverse();
      await test.queue.add('batch', batch, { jobId: 'wo-batch' });
      expect((await post('/queues/remove', { queue: NAME, id: 'wo-batch' })).status).to.equal(303);
      const [, , details] = (await audited()).at(-1) ?? [];
      const ids = Array.from({ length: 18 }, (_, index) => `event-${30 - index}`);
      expect(details).to.deep.equal({
        events: 32,
        ids: ['nul\ufffd and \ufffd', `${'x'.repeat(254)}\ufffd`, ...ids],
      });
    });

    it('list failed jobs with their reasons, which can be retried or removed', async () => {
      await test.queue.drain();
      const options = { jobId: 'wo-failed', attempts: 1, removeOnFail: false };
      await test.queue.add('event', completion(99), options);
      const claimed = await test.claim();
      await claimed?.moveToFailed(new UnrecoverableError('101 workers ended'), 'a token', false);
      const list = await get(`/queues?queue=${NAME}&state=failed`);
      expect(list.text).to.include('No worker could end a failed job').and.to.include('wo-failed');
      expect(await findHtmlFaults(list.text)).to.deep.equal([]);
      const page = await get(`/queues/job?queue=${NAME}&id=wo-failed`);
      expect(page.text).to.include('101 workers ended').and.to.include('action="/queues/take"');
      expect((await post('/queues/take', { queue: NAME, id: 'wo-failed' })).status).to.equal(303);
      expect(await test.queue.getJobState('wo-failed')).to.equal('waiting');
      await test.queue.drain();
    });

    it('say so if there are more jobs than in the list', async () => {
      await test.reference.addBulk(Array.from({ length: 10_001 }, () => ({ name: 'event', data: {} })));
      const first = (await get('/queues?queue=reference-data')).text;
      expect(first)
        .to.include('Only the first 10,000 of 10,001 jobs can be listed.')
        .and.to.include('1&ndash;50 of 10,000');
      expect((await get('/queues?queue=reference-data&page=200')).text).to.include(
        '9,951&ndash;10,000 of 10,000',
      );
    });
  });
}
