import { inTransaction } from '@takt/database';
import { eventProblem, quote, words } from '@takt/events/internal';
import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { countRejections, groupByRule, listRejections, listValues, recordRejections } from '../src/index.js';
import { NEGATIVE, openStores, QUEUE, resolveAs, type Stores } from './open-stores.js';

describe('rejections', function () {
  this.timeout(180_000);
  let stores: Stores;

  before(async function () {
    stores = await openStores(this, 'PostgreSQL');
  });
  afterEach(() => stores.empty());
  after(() => stores?.close());

  const event = (operation: number, changes: object = {}) =>
    completion(operation, { runTime: -1, ...changes });

  it('have one row for an event, however often it is rejected and however its JSON is spaced', async () => {
    const text = JSON.stringify(event(1));
    await stores.reject(text);
    const [before] = await stores.list();
    await stores.reject(JSON.stringify(event(1), null, 2));
    await inTransaction(stores.pool, (session) =>
      recordRejections(session, [
        { queue: QUEUE, text, problems: [NEGATIVE] },
        { queue: QUEUE, text, problems: [NEGATIVE] },
        { queue: 'reference-data', text, problems: [NEGATIVE] },
      ]),
    );
    const rows = await stores.list();
    expect(rows.map(({ queue, times }) => [queue, times])).to.have.deep.members([
      [QUEUE, 4],
      ['reference-data', 1],
    ]);
    const first = rows.find(({ queue }) => queue === QUEUE);
    expect(first).to.deep.include({
      id: before?.id,
      company: 'TEM-NO',
      eventId: 'event-1',
      data: text,
      firstAt: before?.firstAt,
      problems: [{ field: 'data.runTime', ...NEGATIVE.words }],
    });
    expect(Number(first?.lastAt)).to.be.above(Number(before?.lastAt));
  });

  it('keep what is no event, with bytes that PostgreSQL does not store', async () => {
    for (const text of ['no\0JSON', '"\\ud800"', '[1]', 'null', '{"data":{"database":"TEM-XX\\u0000"}}']) {
      await stores.reject(text);
    }
    const rows = await stores.list();
    expect(rows.map(({ data }) => data)).to.have.members([
      '"no\\u0000JSON"',
      '"\\ud800"',
      '[1]',
      'null',
      '{"data":{"database":"TEM-XX\\u0000"}}',
    ]);
    expect(rows.map(({ company }) => company)).to.have.members([null, null, null, null, 'TEM-XX\ufffd']);
  });

  it('are open again when the event is rejected again after somebody discarded it', async () => {
    await stores.rejectMany(1, 2);
    const [first] = await stores.list();
    await resolveAs(stores, [first?.id ?? 0], () => 'discard', 'a run');
    expect(await stores.list()).to.deep.equal([]);
    await stores.rejectMany(1, 2);
    expect(await stores.list()).to.have.lengthOf(1);
    expect((await stores.list())[0]).to.include({ id: first?.id, times: 2, state: 'open', run: null });
  });

  it('are committed together with the rest of their transaction, or not at all', async () => {
    const work = inTransaction(stores.pool, async (session) => {
      const text = JSON.stringify(event(1));
      await recordRejections(session, [{ queue: QUEUE, text, problems: [NEGATIVE] }]);
      throw new Error('the batch failed');
    });
    expect(await work.catch(String)).to.equal('Error: the batch failed');
    expect(await stores.list()).to.deep.equal([]);
  });

  it('are listed page by page in both directions, even if others come in between', async () => {
    await stores.rejectMany(0, 25);
    const seen: (string | null)[] = [];
    let page = await listRejections(stores.pool, { limit: 10 });
    while (page.length > 0) {
      seen.push(...page.map(({ eventId }) => eventId));
      await stores.rejectMany(100 + seen.length, 101 + seen.length);
      page = await listRejections(stores.pool, { limit: 10, behind: page.at(-1)?.place ?? '' });
    }
    expect(seen).to.deep.equal(Array.from({ length: 25 }, (_, index) => `event-${24 - index}`));
    const [oldest] = await listRejections(stores.pool, { limit: 1, oldestFirst: true });
    const [next] = await listRejections(stores.pool, {
      limit: 1,
      oldestFirst: true,
      behind: oldest?.place ?? '',
    });
    expect([oldest?.eventId, next?.eventId]).to.deep.equal(['event-0', 'event-1']);
  });

  it('are filtered, counted and grouped by the database', async () => {
    await stores.rejectMany(1, 4);
    const unknown = (code: string) =>
      eventProblem('data.database', words('must be the code of a registered company'), quote(code));
    for (const code of ['TEM-XX', 'TEM-YY', 'TEM-ZZ', 'TEM-AA']) {
      await stores.reject(JSON.stringify(event(9, { database: code, runTime: 1 })), unknown(code));
    }
    const { pool } = stores;
    const count = (filter: Parameters<typeof countRejections>[1]) => countRejections(pool, filter);
    expect(await count({})).to.equal(7);
    expect(await count({ filter: { fields: new Map([['company', 'TEM-XX']]) } })).to.equal(1);
    expect(await count({ filter: { text: 'tem-xx' } })).to.equal(1);
    expect(await count({ filter: { inReason: '"TEM-XX"' } })).to.equal(1);
    expect(await count({ reader: { companies: ['TEM-NO'] } })).to.equal(3);
    expect(await listValues(pool, 'company', { limit: 2, reader: {} })).to.deep.equal(['TEM-AA', 'TEM-NO']);
    const groups = await groupByRule(pool, { limit: 5 });
    expect(groups.map(({ rule, count: events }) => [rule, events])).to.deep.equal([
      ['data.database must be the code of a registered company', 4],
      ['data.runTime must be hours as a number or plain decimal string from 0 to 1000000', 3],
    ]);
    expect(groups[0]?.problems?.[0]?.rule.phrase).to.equal('must be the code of a registered company');
  });

  it('tell a search nothing about values that are hidden from its reader', async () => {
    const planned = { plannedProductionTimes: { runTime: 4.25 } };
    await stores.reject(
      JSON.stringify({ ...event(1), type: 'secret', data: { ...event(1).data, ...planned } }),
    );
    await stores.reject(JSON.stringify({ ...event(2), source: '/PlannedProductionTimes/7' }));
    await stores.reject(JSON.stringify(event(3, { comment: 'clear' })));
    const type = 'work-order-operation.completed.v1';
    const hidden = { readableTypes: [type], pattern: String.raw`plannedproductiontimes|\\u` };
    const found = (filter: NonNullable<Parameters<typeof countRejections>[1]>['filter']) =>
      countRejections(stores.pool, { filter: filter ?? {}, reader: { hidden } });
    expect(await found({ text: '4.25' })).to.equal(0);
    expect(await found({ text: 'clear' })).to.equal(1);
    expect(await found({ text: 'event-2' })).to.equal(0);
    expect(await found({ fields: new Map([['source', '/PlannedProductionTimes/7']]) })).to.equal(0);
    expect(await listValues(stores.pool, 'source', { limit: 9, reader: { hidden } })).to.have.lengthOf(1);
    expect(await countRejections(stores.pool, { filter: { text: '4.25' } })).to.equal(1);
  });
});
