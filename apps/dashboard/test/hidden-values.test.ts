import { createApiClient, type Duty, findAccessToken } from '@takt/access';
import { completion, opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { conceal, concealText, reveal } from '../src/concealed.js';
import { findForbiddenChanges } from '../src/rejected/forbidden-changes.js';
import { openIds, type ShownIds } from '../src/sealed-ids.js';
import { openPeople } from '../src/visit.js';
import { openTestDashboard, type Signed } from './support/open-test-dashboard.js';

const PLAN = 77.25;
const HIDDEN = '(hidden: needs read-planned-times)';
const TIMES = { runTime: PLAN, setupTime: null, cleanupTime: null };
/** Texts in which a JSON object stands as a whole. */
const AS_TEXT = [
  JSON.stringify({ plannedProductionTimes: { runTime: PLAN } }),
  `{"\\u0070lannedProductionTimes": ${PLAN}}`,
  JSON.stringify(`{"\\u0050lannedProductionTimes": ${PLAN}}`),
];
const OPERATOR: readonly Duty[] = ['read-production-times', 'read-application-versions', 'operate-queues'];

function structureVersion(data: object = {}) {
  return {
    ...{ specversion: '1.0', id: 'version-1', source: '/erp', time: '2026-01-01T00:00:00Z' },
    type: 'product-structure-version.changed.v1',
    data: {
      ...{ database: 'TEM-NO', changedAt: '2026-01-01T00:00:00Z', productStructureVersionId: 1 },
      ...{ status: 1, name: 'Bracket', version: 1, revision: 'A' },
      product: { productId: 1, status: 1, name: 'Bracket', type: 'part', description: '' },
      plannedProductionTimes: TIMES,
      ...data,
    },
  };
}

describe('values in rejected events that a person may not read', () => {
  it('are replaced field by field, by the duties of the resources that serve them', () => {
    const event = structureVersion();
    const shown = conceal(event, OPERATOR);
    expect(shown).to.deep.equal({
      ...event,
      data: { ...event.data, plannedProductionTimes: '(hidden: needs read-planned-times)' },
    });
    expect(conceal(event, [...OPERATOR, 'read-planned-times'])).to.deep.equal(event);
    expect(conceal([event], OPERATOR)).to.deep.equal([shown]);
    expect(conceal(event, 'all')).to.equal(event);
    expect(conceal(completion(1), OPERATOR)).to.deep.equal(completion(1));
    const ofApplication = {
      type: 'application-version.changed.v1',
      data: { database: 'TEM-NO', name: 'App', createdBy: { userId: 7 } },
    };
    expect(conceal(ofApplication, OPERATOR)).to.have.nested.property('data.name', 'App');
    expect(JSON.stringify(conceal(ofApplication, OPERATOR))).not.to.include('7');
    const company = { companyId: 3, database: 'TEM-NO', createdByName: 'Nora' };
    const restricted = { ...ofApplication, data: { ...ofApplication.data, restrictedToCompany: company } };
    expect(conceal(restricted, OPERATOR)).to.have.nested.property('data.restrictedToCompany.companyId', 3);
    expect(JSON.stringify(conceal(restricted, OPERATOR))).not.to.include('Nora');
    expect(conceal(ofApplication, ['read-production-times'])).to.have.nested.property(
      'data.name',
      '(hidden: needs read-application-versions)',
    );
  });

  it('are replaced wherever a broken event has them', () => {
    const values: readonly unknown[] = [
      structureVersion({ plannedTimes: PLAN }),
      { ...structureVersion(), plannedProductionTimes: { runTime: PLAN } },
      { ...structureVersion(), type: 'product-structure-version.changed.v2' },
      { ...structureVersion(), type: { runTime: PLAN } },
      { ...structureVersion(), id: [PLAN] },
      { ...structureVersion(), data: PLAN },
      { ...structureVersion(), data: { database: { runTime: PLAN } } },
      [[structureVersion()]],
      structureVersion({ product: { productId: 1, plannedTimes: { runTime: PLAN } } }),
      structureVersion({ revision: { runTime: PLAN } }),
      { ...completion(1), data: { ...completion(1).data, PlannedProductionTimes: PLAN } },
      { ...completion(1), data: { ...completion(1).data, plannedProductionTimes: { runTime: PLAN } } },
      { ...completion(1), plannedProductionTimes: { runTime: PLAN } },
      { ...completion(1), data: { ...completion(1).data, extra: [{ plannedProductionTimes: PLAN }] } },
      ...AS_TEXT.flatMap((text) => [
        structureVersion({ name: text }),
        structureVersion({ database: text }),
        { ...structureVersion(), source: text },
        { ...completion(1), data: { ...completion(1).data, extra: [text] } },
      ]),
      ...['plannedProductionTimes.runTime', 'PlannedProductionTimes '].map((name) => ({
        ...completion(1),
        data: { ...completion(1).data, extra: { [name]: PLAN } },
      })),
      // A value that became the name of a field.
      ...[`${PLAN} h planned`, `plannedRunTime=${PLAN}`, AS_TEXT[0] ?? ''].flatMap((name) => [
        structureVersion({ [name]: '' }),
        structureVersion({ product: { productId: 1, [name]: 1 } }),
        { ...structureVersion(), [name]: null },
      ]),
      `runTime: ${PLAN}`,
      PLAN,
    ];
    for (const value of values) {
      const text = JSON.stringify(value);
      expect(JSON.stringify(conceal(value, OPERATOR)), text).not.to.include('77');
      expect(concealText(text, OPERATOR), text).not.to.include('77');
    }
    expect(concealText(`<plan>${PLAN}</plan>`, OPERATOR)).not.to.include('77');
  });

  it('allow only faults to be corrected, so that no value is moved or guessed', () => {
    const forbidden = (
      original: object,
      correction: object,
      faults: readonly string[],
      duties: readonly Duty[] = OPERATOR,
    ) => findForbiddenChanges(original, correction, { duties, faults });
    const broken = structureVersion({ status: 'x' });
    const shown = structureVersion({ status: 2, plannedProductionTimes: HIDDEN });
    expect(forbidden(broken, shown, ['data.status'])).to.deep.equal([]);
    for (const [path, change] of [
      ['data.database', { database: 'TEM-SE' }],
      ['data.changedAt', { changedAt: '2026-01-02T00:00:00Z' }],
      ['data.productStructureVersionId', { productStructureVersionId: 2 }],
      ['data.product.productId', { product: { ...structureVersion().data.product, productId: 2 } }],
      ['data.plannedProductionTimes', { plannedProductionTimes: { ...TIMES, runTime: 3 } }],
      ['data.plannedProductionTimes', { plannedProductionTimes: undefined }],
    ] as const) {
      const correction = structureVersion({ status: 2, plannedProductionTimes: HIDDEN, ...change });
      expect(forbidden(broken, correction, ['data.status']), path).to.deep.equal([path]);
      expect(
        forbidden(broken, correction, ['data.status'], [...OPERATOR, 'read-planned-times']),
      ).to.deep.equal([]);
    }
    // A right guess cannot be told from a wrong one.
    for (const path of ['runTime', 'setupTime']) {
      const answers = [PLAN, null, 3].map((guess) => {
        const guessed = structureVersion({ plannedProductionTimes: { ...TIMES, [path]: guess } });
        return forbidden(broken, guessed, ['data.status']);
      });
      expect(answers).to.deep.equal(answers.map(() => answers[0]));
      expect(answers[0]).to.deep.equal(['data.plannedProductionTimes']);
    }
    for (const guess of [{ 0: PLAN }, [PLAN], [{ ...TIMES }], { plan: 1 }]) {
      expect(
        forbidden(broken, structureVersion({ plannedProductionTimes: guess }), ['data.status']),
      ).to.deep.equal(['data.plannedProductionTimes']);
    }
    const faultyType = { ...structureVersion(), type: 'Product-structure-version.changed.v1' };
    const answersOfType = [PLAN, 3].map((runTime) =>
      forbidden(faultyType, structureVersion({ plannedProductionTimes: { ...TIMES, runTime } }), ['type']),
    );
    expect(answersOfType[0]).to.include('data.plannedProductionTimes').and.to.deep.equal(answersOfType[1]);
    // A value of one's own in a hidden field would be a guess, also where the event has none or a wrong one.
    const without = structureVersion({ plannedProductionTimes: undefined });
    expect(forbidden(without, structureVersion(), ['data.plannedProductionTimes'])).not.to.deep.equal([]);
    expect(forbidden({ type: broken.type, data: 1 }, structureVersion(), ['data'])).not.to.deep.equal([]);
    expect(forbidden(completion(1), structureVersion(), [''])).not.to.deep.equal([]);
    expect(forbidden(completion(1, { runTime: -1 }), completion(2), [])).to.deep.equal([]);
  });

  it('return with a correction to the field from which they come, and only to that field', () => {
    const event = structureVersion({ status: 'x' });
    const shown = JSON.stringify(conceal(event, OPERATOR));
    const correct = (text: string) => reveal(JSON.parse(text), event, OPERATOR);
    expect(correct(shown.replace('"x"', '2'))).to.deep.equal(structureVersion({ status: 2 }));
    const own = { runTime: 1, setupTime: null, cleanupTime: null };
    expect(correct(JSON.stringify(structureVersion({ plannedProductionTimes: own })))).to.deep.equal(
      structureVersion({ plannedProductionTimes: own }),
    );
    const hidden = '(hidden: needs read-planned-times)';
    expect(correct(JSON.stringify(structureVersion({ name: hidden })))).to.equal(undefined);
    expect(correct(JSON.stringify({ ...structureVersion(), [hidden]: 1 }))).to.equal(undefined);
    expect(correct(JSON.stringify(hidden))).to.equal(undefined);
    const ofOtherType = { ...completion(1), data: { ...completion(1).data, plannedProductionTimes: hidden } };
    expect(correct(JSON.stringify(ofOtherType)), 'in another type').to.equal(undefined);
    expect(correct(JSON.stringify(completion(1)))).to.deep.equal(completion(1));
  });

  it('return to fields whose names are hidden, while misspelt names are shown', () => {
    const event = structureVersion({ '7': 1, 'run time': 2, statuss: 3, '(hidden field 1)': 4, status: 'x' });
    const shown = JSON.stringify(conceal(event, OPERATOR));
    expect(shown).to.include('"statuss":"(hidden').and.not.include('run time');
    expect(reveal(JSON.parse(shown.replace('"x"', '2')), event, OPERATOR)).to.deep.equal({
      ...event,
      data: { ...event.data, status: 2 },
    });
  });
});

describe('the dashboard, for a person who may not read planned times', () => {
  const test = opened(openTestDashboard);
  let ids: ShownIds;
  let operator: Signed;
  let planner: Signed;

  before(async () => {
    operator = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['operator'] });
    ids = await sealedIds();
    planner = await test.addPerson(['TEM-NO', 'TEM-SE'], {
      roles: ['planner'],
      duties: ['operate-queues'],
    });
    const data = structureVersion({ status: 'x' });
    const reason = `data.status must be an integer (got "x"); data.plannedProductionTimes.runTime must be hours (got ${PLAN})`;
    await test.reject([
      { jobId: 'version', data, reason },
      { jobId: 'other', data: { ...data, id: 'version-2' }, reason },
      // Events whose type the operator may read, with a plan in a text.
      ...['runTime', 'database'].map((field) => {
        const text = AS_TEXT[0];
        const reason = `data.${field} must be something else (got ${JSON.stringify(text)})`;
        return { jobId: `in-${field}`, data: completion(5, { [field]: text }), reason };
      }),
      { jobId: 'in-source', data: { ...completion(6), source: AS_TEXT[0] }, reason: '' },
      // The name of the plan stands behind the part of an event that a list has.
      {
        jobId: 'long',
        data: {
          ...completion(7),
          data: { filler: 'f'.repeat(1_200), runTime: `${PLAN}, not plannedProductionTimes` },
        },
        reason: `data.runTime must be hours (got "${PLAN}…)`,
      },
      {
        jobId: 'misplaced',
        data: { ...completion(1), data: { plannedProductionTimes: { runTime: 99.5 } } },
        reason: 'data.runTime must be hours (got nothing)',
      },
    ]);
    await test.queue.add('event', data, { jobId: 'waiting' });
    // The name of a job is the type of its event.
    await test.reference.add(AS_TEXT[0] ?? '', data, { jobId: 'named' });
    await test.database.pool.query(
      `INSERT INTO takt.event_sources (company_id, source, last_event_at, last_event_id)
       SELECT company_id, '/plans', now(), $1 FROM takt.companies WHERE code = 'TEM-NO'`,
      [AS_TEXT[0]],
    );
  });

  const read = async (path: string, { token }: Signed) => {
    const { status, text } = await test.ask('GET', path, { token });
    expect(status, path).to.equal(200);
    return text;
  };

  /** The ids as the operator sees them. */
  const sealedIds = async () => {
    const person = await openPeople(test.database.pool, (token) =>
      findAccessToken(test.database.pool, token),
    ).findNow(operator.token);
    if (person === undefined) throw new Error('there is no such person');
    return openIds(test.database.pool)(person);
  };
  const eventPath = (name: string) => `/rejected/event?id=${test.idOf(name)}`;

  /** Returns the address of the only link of a list to an event or a job of this person. */
  const linkOn = async (path: string, to: RegExp, person: Signed) => {
    let href = '';
    // A person who has changed nothing may see a list that is up to a second old.
    await waitUntil('the list has the link', async () => {
      href = to.exec(await read(path, person))?.[1] ?? '';
      return href !== '';
    });
    return href.replaceAll('&amp;', '&');
  };

  it('shows no id of their jobs, which are hashes of events, and takes none', async () => {
    const job = await linkOn('/queues', /href="(\/queues\/job\?[^"]*)"/, operator);
    expect(await read(job, operator))
      .to.include('(hidden: needs')
      .and.not.to.include('>waiting<');
    const raw = '/queues/job?queue=work-order-operations&id=waiting';
    expect((await test.ask('GET', raw, { token: operator.token })).status).to.equal(404);
    // The id of a harmless event of a batch is a hash of the whole batch.
    for (const path of ['/rejected', '/queues', '/rejected/resolved', '/']) {
      expect(await read(path, operator), path).not.to.match(/id=(?:work-order-operations|waiting)|>waiting</);
    }
  });

  it('numbers the events of a batch in their order, which tells nothing about their values', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `moment-${String.fromCharCode(97 + index)}`);
    await test.reject(
      names.map((id) => ({ jobId: id, data: { id, source: '/moment', data: { database: 'TEM-NO' } } })),
    );
    const page = await read('/rejected?source=%2Fmoment', operator);
    const listed = [...page.matchAll(/>(moment-[a-l])<\/a>/g)].map(([, id = '']) => id);
    expect(listed).to.deep.equal(names.toReversed());
  });

  it('shows them on no page, and finds them with no search', async () => {
    for (const path of [
      ...['/', '/rejected', eventPath('version')],
      `/queues/job?queue=work-order-operations&id=${ids.shown('waiting')}`,
      `/queues/job?queue=reference-data&id=${ids.shown('named')}`,
      '/queues?queue=reference-data&state=waiting',
    ]) {
      expect(await read(path, operator), path).not.to.match(/77[.,]25/);
    }
    for (const name of ['in-runTime', 'in-database', 'in-source']) {
      const path = eventPath(name);
      expect(await read(path, operator), name).not.to.match(/77[.,]25/);
      const event = JSON.stringify(conceal(completion(5, { runTime: AS_TEXT[0] }), OPERATOR));
      const form = { id: test.idOf(name), event };
      const refused = await test.ask('POST', '/rejected/correct', { token: operator.token, form });
      expect([refused.status, refused.text.includes('77.25')], name).to.deep.equal([400, false]);
    }
    await waitUntil('the start page has the source', async () => {
      const page = await read('/', operator);
      expect(page).not.to.match(/77[.,]25/);
      return page.includes('/plans');
    });
    const found = await read('/rejected?text=77.25', operator);
    expect(found).not.to.match(/event-7|version-1|event-5/);
    expect(await read('/rejected?text=77.25', planner)).to.include('event-7');
    expect(await read('/rejected?text=99.5', operator)).not.to.include('event-1<');
    expect(await read('/rejected?text=99.5', planner)).to.include('event-1<');
    expect(await read('/rejected?text=77.25', planner)).to.include('version-1');
    expect(await read(eventPath('version'), planner)).to.match(/77\.25.*77\.25/s);
    expect(await read(eventPath('version'), operator)).to.include('(hidden: needs read-planned-times)');
  });

  it('keeps them in a correction, and refuses a correction that would show them', async () => {
    const correct = async (data: object, own: object = {}) => {
      const shown = conceal(structureVersion(data), OPERATOR) as ReturnType<typeof structureVersion>;
      const event = JSON.stringify({ ...shown, data: { ...shown.data, ...own } });
      const form = { id: test.idOf('version'), event };
      return test.ask('POST', '/rejected/correct', { token: operator.token, form });
    };
    const moved = await correct({ name: '(hidden: needs read-planned-times)' });
    expect([moved.status, moved.text.includes('data.name can be changed only by')]).to.deep.equal([
      400,
      true,
    ]);
    const invalid = await correct({ status: 'y' });
    expect(invalid.status).to.equal(400);
    expect(invalid.text)
      .to.include('data.status must be')
      .and.not.match(/77[.,]25/);
    for (const own of [
      { database: 'TEM-SE' },
      { productStructureVersionId: 2 },
      { plannedProductionTimes: { ...TIMES, runTime: 1 } },
    ]) {
      const refused = await correct({ status: 2 }, own);
      expect([refused.status, refused.text.includes('can be changed only by')]).to.deep.equal([400, true]);
    }
    expect((await correct({ status: 2 })).status).to.equal(303);
    const jobs = await Promise.all(
      [test.queue, test.reference].map((queue) => queue.getJobs(['waiting', 'prioritized', 'delayed'])),
    );
    const corrected = jobs.flat().find(({ id }) => id?.startsWith('retried-'));
    expect(corrected?.data).to.deep.equal(structureVersion({ status: 2 }));
    expect(await read('/rejected/resolved', operator)).not.to.match(/77[.,]25/);
    expect(await read('/rejected/resolved', planner)).to.include('77.25');
  });

  it('refuses to change the type of many events, and keeps corrected plans out of the audit log', async () => {
    const until = '9999-12-31T23:59:59.000000Z';
    await test.reject([
      {
        jobId: 'third',
        data: { ...structureVersion({ status: 'z' }), id: 'third' },
        reason: 'data.status must be 1',
      },
    ]);
    const run = async (token: string, field: string, value: string) => {
      return untilEnded(token, { action: 'correct', event: test.idOf('third'), until, field, value });
    };
    const untilEnded = async (token: string, form: Readonly<Record<string, string>>) => {
      const begun = await test.ask('POST', '/rejected/bulk', { token, form });
      let text = '';
      await waitUntil('the run has ended', async () => {
        text = (await test.ask('GET', begun.location ?? '', { token })).text;
        return text.includes('It took');
      });
      return text;
    };
    const type = await run(operator.token, 'type', 'work-order-operation.completed.v1');
    expect(type).to.include('type can be changed only by who may read all values of the event');
    for (const field of ['data.plannedProductionTimes.runTime', 'data.database', 'data.changedAt']) {
      const refused = await run(operator.token, field, field === 'data.database' ? 'TEM-SE' : '3');
      expect(refused).to.include(`${field} can be changed only by who may read all values of the event`);
    }
    await run(planner.token, 'data.plannedProductionTimes.runTime', '88.75');
    await run(planner.token, 'data.status', '43.21');
    const form = { queue: 'reference-data', id: 'named' };
    await test.reference.add('event', { ...structureVersion(), id: AS_TEXT[0] }, { jobId: 'with-id' });
    for (const id of ['named', 'with-id']) {
      const { status } = await test.ask('POST', '/queues/remove', {
        token: planner.token,
        form: { ...form, id },
      });
      expect(status).to.equal(303);
    }
    const source = `/plans?${AS_TEXT[0]}`;
    const chosen = { action: 'discard', source, until };
    await test.reject([{ jobId: 'chosen', data: { ...structureVersion({ status: 'z' }), source } }]);
    expect(
      (await test.ask('POST', '/rejected/bulk', { token: planner.token, form: chosen })).status,
    ).to.equal(303);
    const { rows: entries } = await test.database.pool.query<{ entry: string }>(
      'SELECT audit_log::text AS entry FROM takt.audit_log',
    );
    expect(entries.map(({ entry }) => entry).join())
      .to.include('job-removed')
      .and.not.match(/77[.,]25/);
    const { rows } = await test.database.pool.query<{ details: string }>(
      "SELECT details::text FROM takt.audit_log WHERE action = 'rejected-corrected' AND details ? 'run'",
    );
    expect(rows.map(({ details }) => details).join())
      .to.include('runTime')
      .and.not.match(/88\.75|43\.21|third/);
  });

  it('refuses pages without their duty, and the tokens of clients', async () => {
    const { token } = await test.addPerson(['TEM-NO'], { duties: ['read-error-messages'] });
    for (const path of ['/rejected', eventPath('version'), '/rejected/resolved']) {
      const { status, text } = await test.ask('GET', path, { token });
      expect([status, text.includes('read-production-times')], path).to.deep.equal([403, true]);
    }
    await test.database.pool.query(
      `INSERT INTO takt.event_sources (company_id, source, last_event_at, last_event_id)
       SELECT company_id, '/line-9', now(), 'event-of-line-9' FROM takt.companies WHERE code = 'TEM-NO'`,
    );
    await waitUntil('the dashboard has heard of the source', async () =>
      (await read('/', operator)).includes('event-of-line-9'),
    );
    const start = await test.ask('GET', '/', { token });
    expect(start.text).not.to.include('data.status').and.not.to.include('event-of-line-9');
    const permissions = ['production-times', 'error-messages'];
    const { clientId } = await createApiClient(test.database, { name: 'App', permissions, isPublic: true });
    for (const rights of [{ clientId }, { clientId, pid: planner.pid }]) {
      const ofClient = await test.createToken(rights);
      for (const { method, path, access } of test.dashboard.routes) {
        if (access === 'everybody') continue;
        const { status, text } = await test.ask(method, path, {
          token: ofClient,
          ...(method === 'POST' && { form: {} }),
        });
        expect(status, path).to.equal(403);
        expect(text, path).to.match(/<h1>(?:Sign in|Your session has ended)/);
      }
    }
  });
});
