import { completion, findHtmlFaults, needsProgram, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import {
  type Got,
  openTestDashboard,
  READS_ALL,
  type RejectedJob,
  type Signed,
  type Store,
  type TestDashboard,
} from './support/open-test-dashboard.js';

/** More than one batch of a bulk change, which has 200 events. */
const MANY = 430;
const DISCARD_ALL = { action: 'discard', until: '9999-12-31T23:59:59.000000Z' };
const DATABASE = 'data.database must be the code of a registered company (got "TEM-XX")';

for (const store of ['PostgreSQL', 'Redis'] as const satisfies readonly Store[]) {
  describe(`with queues on ${store}, the correction of the same fault in many rejected events`, () => {
    let test: TestDashboard;
    let operator: Signed;

    before(async function () {
      if (store === 'Redis') needsProgram(this, 'redis-server');
      test = await openTestDashboard(store);
      operator = await test.addPerson(['TEM-NO', 'TEM-SE'], {
        roles: ['system-operator'],
        duties: READS_ALL,
      });
    });
    after(() => test?.close());
    afterEach(async () => {
      await test.queue.drain();
      const begun = await post('/rejected/bulk', DISCARD_ALL);
      if (begun.status !== 404) await untilEnded(begun);
    });

    const addOperator = (company: string) =>
      test.addPerson([company], { roles: ['operator'], duties: READS_ALL });
    const asking = (person: Signed) => ({ token: person.token });
    const get = (path: string, person = operator) => test.ask('GET', path, asking(person));
    const post = (path: string, form: Readonly<Record<string, string>>, person = operator) =>
      test.ask('POST', path, { ...asking(person), form });
    /** Waits until a run has ended, and returns its page. */
    const untilEnded = async (begun: Got, person = operator): Promise<Got> => {
      expect(begun.location).to.match(/^\/rejected\/run\?id=/);
      let page = begun;
      await waitUntil(
        'the run has ended',
        async () => {
          page = await get(begun.location ?? '', person);
          return page.text.includes('It took');
        },
        300_000,
      );
      expect(await findHtmlFaults(page.text)).to.deep.equal([]);
      return page;
    };
    const wrong = (name: string, operation: number, data = {}): RejectedJob => ({
      jobId: `${name}-${operation}`,
      data: { ...completion(operation, { database: 'TEM-XX', ...data }), source: `/${name}-` },
      reason: DATABASE,
    });
    /** Returns the fields of a form, including hidden ones. */
    const fieldsOf = (html: string, action: string) => {
      const form = html.split('<form').find((text) => text.includes(`action="${action}"`)) ?? '';
      return Object.fromEntries(
        [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
          ([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')],
        ),
      );
    };
    const check = async (query: string, field: string, value: string, person = operator) => {
      const confirm = await get(`/rejected/bulk?action=correct&${query}`, person);
      expect(confirm.status).to.equal(200);
      expect(await findHtmlFaults(confirm.text)).to.deep.equal([]);
      const form = fieldsOf(confirm.text, '/rejected/bulk');
      return untilEnded(await post('/rejected/bulk', { ...form, field, value }, person), person);
    };
    const runOf = ({ text }: Got) => fieldsOf(text, '/rejected/run/undo')['run'] ?? '';
    const waiting = async () => (await test.queue.getJobs(['waiting'])).map(({ data }) => data);
    const audited = async () => {
      const { rows } = await test.database.pool.query<{
        actor: string;
        action: string;
        subject: string;
        details: object;
      }>(
        "SELECT actor, action, subject, details FROM takt.audit_log WHERE action LIKE 'rejected-%' ORDER BY audit_entry_id",
      );
      return rows;
    };

    it('changes, after a check, only events that become valid', async () => {
      await test.reject([
        ...[1, 2, 3].map((operation) => wrong('a', operation)),
        wrong('a', 4, { runTime: -1 }),
        { ...wrong('a', 5), data: 'no event' },
        { ...wrong('b', 6), reason: 'another reason' },
      ]);
      const checked = await check(
        'rule=data.database+must+be+the+code+of+a+registered+company',
        'data.database',
        'TEM-SE',
      );
      expect(checked.text).to.include('<h1>Valid once corrected: 3 events</h1>');
      expect(checked.text).to.include('rejected again: 2 events');
      expect(checked.text).to.match(
        /class="end">1<\/td><th scope="row" class="reason">data\.runTime must be hours/,
      );
      expect(await waiting()).to.deep.equal([]);
      expect(await test.countRejected()).to.equal(6);
      expect(await audited()).to.deep.equal([]);
      // An event that arrives later is not changed, even if it matches the filter.
      await test.reject([wrong('late', 7)]);
      const corrected = await untilEnded(
        await post('/rejected/bulk', fieldsOf(checked.text, '/rejected/bulk')),
      );
      expect(corrected.text).to.include('<h1>3 events corrected and sent</h1>');
      expect(await waiting()).to.have.deep.members(
        [1, 2, 3].map((operation) => ({ ...completion(operation, { database: 'TEM-SE' }), source: '/a-' })),
      );
      expect(await test.countRejected()).to.equal(4);
      const colleague = await test.addPerson(['TEM-NO', 'TEM-SE'], {
        roles: ['system-operator'],
        duties: READS_ALL,
      });
      const runPath = `/rejected/run?id=${runOf(corrected)}`;
      expect((await get(runPath)).status).to.equal(200);
      expect((await get(runPath, colleague)).status, 'nobody else sees the run').to.equal(404);
      const [begun, ended, ...others] = await audited();
      expect(others).to.deep.equal([]);
      const entry = { actor: `PID ${operator.pid} Person`, action: 'rejected-corrected' };
      const details = {
        ...{ run: runOf(corrected), field: 'data.database' },
        filter: 'rule=data.database+must+be+the+code+of+a+registered+company',
      };
      expect(begun).to.deep.equal({
        ...{ ...entry, subject: '5 rejected events', details: { ...details, state: 'begun' } },
      });
      expect(ended).to.deep.equal({
        ...{ ...entry, subject: '3 rejected events', details: { ...details, state: 'ended', invalid: 2 } },
      });
    });

    it('can be undone for all events that no worker has taken', async () => {
      await test.reject([1, 2, 3].map((operation) => wrong('c', operation)));
      const checked = await check('text=c-', 'data.database', 'TEM-NO');
      const corrected = await untilEnded(
        await post('/rejected/bulk', fieldsOf(checked.text, '/rejected/bulk')),
      );
      const runPage = async () => (await get(`/rejected/run?id=${runOf(corrected)}`)).text;
      const taken = await test.claim();
      expect(await runPage(), 'two corrections wait still').to.include('action="/rejected/run/undo"');
      const undone = await untilEnded(await post('/rejected/run/undo', { run: runOf(corrected) }));
      expect(undone.text).to.include('<h1>2 events rejected again, as before</h1>');
      expect(undone.text).to.include('a worker has taken the correction: 1 event.');
      expect(await runPage(), 'nothing is left to undo').not.to.include('/rejected/run/undo');
      expect(await waiting()).to.deep.equal([]);
      const list = await get('/rejected?text=c-');
      expect(list.text).to.include('Rejected events that meet the filter: 2');
      expect((await audited()).at(-1)).to.deep.include({
        action: 'rejected-restored',
        subject: '2 rejected events',
      });
      const resolved = await get(`/rejected/resolved?run=${runOf(corrected)}`);
      expect(await findHtmlFaults(resolved.text)).to.deep.equal([]);
      // The one that stays corrected cannot be undone any more.
      expect(resolved.text).to.include('<td>corrected').and.not.to.include('name="resolved"');
      await test.queue.remove(taken?.id ?? '').catch(() => undefined);
    });

    it('can be undone with one click after a discard', async () => {
      await test.reject([wrong('d', 1), wrong('d', 2)]);
      const id = test.idOf('d-1');
      await post('/rejected/discard', { id });
      const page = await get('/rejected/resolved');
      expect(await findHtmlFaults(page.text)).to.deep.equal([]);
      expect(page.text).to.match(/event-1 <span class="note">\/d-<\/span><\/th><td>discarded/);
      const form = fieldsOf(page.text, '/rejected/undo');
      const undone = await post('/rejected/undo', form);
      expect(undone.location).to.equal('/rejected/resolved?done=restored');
      expect((await get(undone.location ?? '')).text).to.include('The event is rejected again, as before.');
      expect((await get(`/rejected/event?id=${id}`)).status).to.equal(200);
      expect((await post('/rejected/undo', form)).status).to.equal(404);
      const actions = (await audited()).slice(-2).map(({ action, subject }) => [action, subject]);
      expect(actions).to.deep.equal([
        ['rejected-discarded', id],
        ['rejected-restored', id],
      ]);
    });

    it('ends after the present batch if the person loses the right to change queues', async () => {
      const leaving = await test.addPerson(['TEM-NO', 'TEM-SE'], {
        roles: ['system-operator'],
        duties: READS_ALL,
      });
      await test.reject(Array.from({ length: 270 }, (_, index) => wrong('h', index + 1)));
      const blocker = await test.database.pool.connect();
      await blocker.query('BEGIN; LOCK TABLE takt.rejections IN SHARE MODE');
      const begun = await post(
        '/rejected/bulk',
        { action: 'discard', until: '9999-12-31T23:59:59.000000Z' },
        leaving,
      );
      const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'takt.rejections'::regclass";
      await waitUntil('the first batch waits', async () => {
        return ((await test.database.pool.query(waiting)).rowCount ?? 0) > 0;
      });
      const giveRole = (role: string) =>
        test.database.pool.query('UPDATE takt.users SET roles = $2 WHERE pid = $1', [leaving.pid, [role]]);
      await giveRole('planner');
      await blocker.query('ROLLBACK');
      blocker.release();
      await waitUntil('the run has ended', async () =>
        JSON.stringify((await audited()).at(-1)?.details).includes('"problem":"rightsGone"'),
      );
      expect(await test.countRejected()).to.equal(70);
      await giveRole('system-operator');
      expect((await untilEnded(begun, leaving)).text)
        .to.include('<h1>200 events discarded</h1>')
        .and.to.include('may no longer change the queues. Still rejected: 70 events.');
    });

    it('is one at a time for each person', async () => {
      const [first, second] = [await addOperator('TEM-NO'), await addOperator('TEM-NO')];
      await test.reject(
        [1, 2, 3].map((operation) => wrong('j', operation, { database: 'TEM-NO', runTime: -1 })),
      );
      const blocker = await test.database.pool.connect();
      await blocker.query('BEGIN; LOCK TABLE takt.rejections IN SHARE MODE');
      const blocked = await post('/rejected/bulk', DISCARD_ALL, first);
      const tryIt = { ...DISCARD_ALL, action: 'try', field: 'data.runTime', value: '1' };
      expect((await post('/rejected/bulk', tryIt, first)).status, 'the same person').to.equal(409);
      const other = await post('/rejected/bulk', DISCARD_ALL, second);
      await blocker.query('COMMIT');
      blocker.release();
      const ended = [await untilEnded(blocked, first), await untilEnded(other, second)].map(
        ({ text }) => text,
      );
      expect(ended.filter((text) => text.includes('3 events discarded'))).to.have.lengthOf(1);
      expect(ended.filter((text) => text.includes('somebody else was faster: 3 events'))).to.have.lengthOf(1);
    });

    it('changes nothing, and does not ask, if no event of the list is selected', async () => {
      for (const action of ['discard', 'retry', 'correct']) {
        const { status, text } = await get(`/rejected/bulk?selected=true&action=${action}`);
        expect([status, text.includes('No event is selected.')], action).to.deep.equal([400, true]);
      }
    });

    it('leaves nothing in the audit log if no event matches, and little of a long filter', async () => {
      const before = await audited();
      expect((await post('/rejected/bulk', { ...DISCARD_ALL, text: 'nothing' })).status).to.equal(404);
      expect(await audited()).to.deep.equal(before);
      const reason = `a reason ${'x'.repeat(3_000)}`;
      await test.reject([{ ...wrong('k', 1), reason }]);
      await untilEnded(await post('/rejected/bulk', { ...DISCARD_ALL, rule: reason }));
      const added = (await audited()).slice(before.length);
      expect(added.length).to.equal(2);
      for (const { details } of added) expect(JSON.stringify(details).length).to.be.below(1_200);
    });

    it('is shown only to the token that began it, if the token belongs to no person', async () => {
      const duties = ['read-production-times', 'operate-queues'] as const;
      const [own, other] = [await test.createToken({ duties }), await test.createToken({ duties })];
      await test.reject([wrong('l', 1, { database: 'TEM-NO', runTime: -1 })]);
      const begun = await test.ask('POST', '/rejected/bulk', { token: own, form: DISCARD_ALL });
      const page = begun.location ?? '';
      expect(page).to.match(/^\/rejected\/run\?id=/);
      expect((await test.ask('GET', page, { token: own })).status).to.equal(200);
      expect((await test.ask('GET', page, { token: other })).status).to.equal(404);
      await untilEnded(begun, { pid: 0, token: own });
    });

    it('are listed page by page after a discard', async () => {
      await test.reject(Array.from({ length: 51 }, (_, index) => wrong('i', index + 1)));
      const discarded = await untilEnded(
        await post('/rejected/bulk', { action: 'discard', until: '9999-12-31T23:59:59.000000Z' }),
      );
      const first = await get(`/rejected/resolved?run=${runOf(discarded)}`);
      const shown = ({ text }: Got) => [...text.matchAll(/event-(\d+) <span/g)].map(([, id]) => Number(id));
      const [, older = ''] = /href="([^"]*before=[^"]*)"/.exec(first.text) ?? [];
      const last = await get(older.replaceAll('&amp;', '&'));
      expect([shown(first).length, shown(last).length]).to.deep.equal([50, 1]);
      expect(new Set([...shown(first), ...shown(last)]).size).to.equal(51);
      expect(last.text).not.to.include('before=');
    });

    it('includes no events of foreign companies, and cannot be undone by people of other companies', async () => {
      const other = await test.addPerson(['TEM-SE'], { roles: ['operator'], duties: READS_ALL });
      const of = (event: object) => ({ ...event, source: '/e-' });
      const data = of(completion(1, { database: 'TEM-SE', runTime: -1 }));
      const valid = { jobId: 'e-3', data: of(completion(3, { database: 'TEM-SE' })), reason: 'a conflict' };
      await test.reject([{ jobId: 'e-1', data }, wrong('e', 2), valid]);
      const foreign = await check('text=e-', 'data.database', 'TEM-NO', other);
      expect(foreign.text).to.include('Valid once corrected: 0 events');
      expect(foreign.text).to.include('<th scope="row" class="reason">data.runTime must be hours');
      expect(foreign.text).to.include('data.database must be one of your companies</th>');
      const own = await check('text=e-', 'data.runTime', '2.5', other);
      expect(own.text).to.include('<h1>Valid once corrected: 2 events</h1>');
      await post('/rejected/discard', { id: test.idOf('e-2') });
      const seen = await get('/rejected/resolved', other);
      expect(seen.text).not.to.include('event-2');
      const mine = fieldsOf((await get('/rejected/resolved')).text, '/rejected/undo');
      expect((await post('/rejected/undo', mine, other)).status).to.equal(404);
    });

    it('is refused for an unknown field, a missing value and an unknown task', async () => {
      await test.reject([wrong('f', 1)]);
      for (const form of [
        { action: 'try', field: 'data.nothing', value: 'x' },
        { action: 'try', field: 'data.database', value: ' ' },
        { action: 'correct', field: '__proto__.x', value: 'x' },
        { action: 'correct', field: 'id', value: 'x' },
        { action: 'undo', field: 'data.database', value: 'x' },
      ]) {
        expect(
          (await post('/rejected/bulk', { ...form, until: '9999-12-31T23:59:59.000000Z' })).status,
        ).to.equal(404);
      }
      expect(await waiting()).to.deep.equal([]);
    });

    it('corrects, after a check, only the events that were checked', async () => {
      await test.reject([wrong('found', 71), wrong('other', 72)]);
      const checked = await check('text=found', 'data.database', 'TEM-SE');
      expect(checked.text).to.include('<h1>Valid once corrected: 1 event</h1>');
      const form = fieldsOf(checked.text, '/rejected/bulk');
      const stranger = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['operator'] });
      expect((await post('/rejected/bulk', form, stranger)).status).to.equal(404);
      await untilEnded(await post('/rejected/bulk', form));
      expect(await waiting()).to.deep.equal([
        { ...completion(71, { database: 'TEM-SE' }), source: '/found-' },
      ]);
      expect(await test.countRejected()).to.equal(1);
    });

    it(`changes ${MANY} events at once, and can be undone`, async () => {
      await test.reject(Array.from({ length: MANY }, (_, index) => wrong('g', index + 1)));
      const checked = await check('text=g-', 'data.database', 'TEM-NO');
      expect(checked.text).to.include(`Valid once corrected: ${MANY} events`);
      const corrected = await untilEnded(
        await post('/rejected/bulk', fieldsOf(checked.text, '/rejected/bulk')),
      );
      expect(corrected.text).to.include(`${MANY} events corrected and sent`);
      expect(await test.queue.getWaitingCount()).to.equal(MANY);
      const undone = await untilEnded(await post('/rejected/run/undo', { run: runOf(corrected) }));
      expect(undone.text).to.include(`${MANY} events rejected again`);
      expect(await test.queue.getWaitingCount()).to.equal(0);
      await test.database.pool.query('TRUNCATE takt.rejections');
    });
  });
}
