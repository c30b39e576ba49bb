import { parseEvent } from '@takt/events';
import { randomFrom, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { applyReferenceData, type ReferenceDataEvent } from '../../src/master-data/index.js';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  listUnlistedStructureVersions,
  type PlanChange,
  pruneOperations,
  readPlanChanges,
  rebuildProductionTimes,
  type WorkOrderOperationEvent,
} from '../../src/production-times/index.js';
import { useApplyFixture } from './apply-fixture.js';
import { registerCompany } from './companies.js';
import { anyHistory, DAYS, type History, type Occurrence, STRUCTURE_VERSIONS, toEvent } from './histories.js';
import { readMonthlyFigures, readServedFigures } from './served-figures.js';

const HISTORIES = shareOf(300);

const byKey = {
  ...{ workOrderOperationId: null, workOrderOperationKey: 'FA-2026-1000/0010' },
  ...{ productStructureVersionId: null, productStructureVersionKey: 'WL-10.4700' },
};

/** Returns a change of a structure version. */
function change(database: string, data: object = {}): ReferenceDataEvent {
  const result = parseEvent({
    ...{ specversion: '1.0', id: 'one', source: '/erp', time: '2024-05-01T08:00:00Z' },
    type: 'product-structure-version.changed.v1',
    data: {
      ...{ database, changedAt: '2024-05-01T08:00:00Z', productStructureVersionKey: 'WL-10.4700' },
      ...{ status: 4, name: 'Milling', version: 1, revision: 'A' },
      product: { productKey: 'WL-10', status: 4, name: 'Bracket', type: 'K', description: '' },
      plannedProductionTimes: { runTime: 1, setupTime: null, cleanupTime: null },
      ...data,
    },
  });
  if (result.ok && result.event.type === 'product-structure-version.changed.v1') return result.event;
  throw new Error(result.ok ? 'no change' : JSON.stringify(result.problems));
}

describe(`events that name objects by keys (seed ${testSeed()})`, function () {
  this.timeout(600_000);
  const { pool, database, completed, reopened, apply } = useApplyFixture();

  /** Returns the numbers of all keys of one kind, by key. */
  async function numbersOf(kind: string, code = database()): Promise<Readonly<Record<string, number>>> {
    const { rows } = await pool().query<{ key: string; number: string }>(
      `SELECT key, number FROM takt.object_keys JOIN takt.companies USING (company_id)
       WHERE code = $1 AND kind = $2 ORDER BY number`,
      [code, kind],
    );
    return Object.fromEntries(rows.map(({ key, number }) => [key, Number(number)]));
  }

  const query = async (text: string) => {
    const { rows } = await pool().query(
      `${text.replace('FROM', 'FROM takt.companies JOIN')} USING (company_id) WHERE code = $1`,
      [database()],
    );
    return rows;
  };

  it('get numbers in the order of their keys, and keep the keys beside them', async () => {
    const keys = ['b/2', 'B', 'a', 'é', '10', '9'];
    const outcomes = await apply(
      ...keys.map((key) => completed({ ...byKey, workOrderOperationKey: key, workOrderKey: `of ${key}` })),
    );
    expect(outcomes).to.deep.equal({});
    expect(await numbersOf('operation')).to.deep.equal({ 10: 1, 9: 2, B: 3, a: 4, 'b/2': 5, é: 6 });
    expect(await numbersOf('version')).to.deep.equal({ 'WL-10.4700': 1 });
    expect(await query('SELECT * FROM takt.work_order_operations')).to.have.length(keys.length);
    for (const row of await query('SELECT * FROM takt.work_order_operations')) {
      expect(row.work_order_key).to.equal(`of ${row.work_order_operation_key}`);
    }
    expect(await query('SELECT * FROM takt.product_structure_versions')).to.have.nested.property(
      '0.product_structure_version_key',
      'WL-10.4700',
    );
  });

  it('are duplicates, stale and conflicts as with numbers, and reopen and move operations', async () => {
    const first = completed({ ...byKey, revision: 2, workOrderKey: 'FA-2026-1000' });
    expect(await apply(first)).to.deep.equal({});
    expect(
      await apply(first, { ...first, revision: 1 }, { ...first, workOrderKey: 'FA-2026-1001' }),
    ).to.deep.equal({ 0: 'duplicate', 1: 'stale', 2: 'conflict' });
    const moved = completed({ ...byKey, revision: 3, productStructureVersionKey: 'WL-10.4800' });
    const { workOrderOperationId, workOrderOperationKey } = byKey;
    expect(await apply(moved)).to.deep.equal({});
    expect(await apply(reopened({ workOrderOperationId, workOrderOperationKey, revision: 4 }))).to.deep.equal(
      {},
    );
    expect(await numbersOf('operation')).to.deep.equal({ 'FA-2026-1000/0010': 1 });
  });

  it('record the newest event of each operation', async () => {
    const at = (id: string) => ({ origin: { source: '/mes', id, time: '2024-05-31T16:20:05.000000Z' } });
    await apply(completed({ ...byKey, ...at('e1') }), completed({ ...byKey, revision: 3, ...at('e3') }));
    await apply(completed({ ...byKey, revision: 2, ...at('e2') }));
    const [row] = await query('SELECT * FROM takt.work_order_operations');
    expect(row).to.include({ event_source: '/mes', event_id: 'e3', revision: '3' });
    expect(row.event_time.toISOString()).to.equal('2024-05-31T16:20:05.000Z');
  });

  it('are rejected where the company names objects of the kind by numbers, and the other way round', async () => {
    await apply(completed());
    expect(
      await apply(
        completed({ workOrderOperationId: null, workOrderOperationKey: 'FA-1' }),
        completed({ ...byKey, workOrderOperationId: 7, workOrderOperationKey: null }),
        completed({ workOrderOperationId: 7, workOrderKey: 'FA-1' }),
        completed({ workOrderOperationId: 8, workOrderId: 1 }),
      ),
    ).to.deep.equal({ 0: { misnamed: 'operation' }, 1: { misnamed: 'version' }, 3: { misnamed: 'order' } });
    // A rejected event decides nothing and numbers nothing.
    expect(await numbersOf('order')).to.deep.equal({ 'FA-1': 1 });
    expect(await numbersOf('version')).to.deep.equal({});

    const outcomes = await applyReferenceData(pool(), [
      change(database()),
      change(database(), { productStructureVersionKey: null, productStructureVersionId: 100 }),
      change(database(), {
        ...{ productStructureVersionKey: null, productStructureVersionId: 101 },
        product: { productId: 3, status: 4, name: 'Bracket', type: 'K', description: '' },
      }),
    ]);
    expect(Object.fromEntries(outcomes)).to.deep.equal({
      0: { misnamed: 'version' },
      2: { misnamed: 'product' },
    });
    expect(await numbersOf('product')).to.deep.equal({ 'WL-10': 1 });
  });

  it('are rejected alone, and in batches that only read what is decided', async () => {
    const named = { productStructureVersionKey: null, productStructureVersionId: 100 };
    const product = { productId: 3, status: 4, name: 'Bracket', type: 'K', description: '' };
    expect((await applyReferenceData(pool(), [change(database(), { ...named, product })])).size).to.equal(0);
    for (const [data, kind] of [
      [{}, 'version'],
      [{ ...named, product: { ...product, productId: null, productKey: 'WL-10' } }, 'product'],
      [{ product }, 'version'],
    ] as const) {
      const outcomes = await applyReferenceData(pool(), [change(database(), data)]);
      expect(Object.fromEntries(outcomes)).to.deep.equal({ 0: { misnamed: kind } });
    }
    await apply(completed());
    const session = await pool().connect();
    try {
      await session.query('BEGIN');
      const misnamed = [
        completed({ workOrderOperationId: null, workOrderOperationKey: 'FA-1', workOrderKey: 'FA' }),
      ];
      expect([...(await applyWorkOrderOperationEvents(session, misnamed)).values()]).to.deep.equal([
        { misnamed: 'operation' },
      ]);
      // Other batches of the company do not wait until it ends.
      await pool().query("SET lock_timeout = '5s'");
      expect(await apply(completed({ workOrderOperationId: 2 }))).to.deep.equal({});
      await session.query('COMMIT');
    } finally {
      session.release(true);
    }
  });

  it('decide by the first event of a batch, and by the first of an unknown company never', async () => {
    expect(
      await apply(
        completed({ ...byKey, database: 'NOBODY' }),
        completed({ ...byKey, workOrderOperationId: 1, workOrderOperationKey: null }),
        completed(byKey),
        completed({ workOrderOperationId: 2 }),
      ),
    ).to.deep.equal({ 0: 'unknown-company', 2: { misnamed: 'operation' }, 3: { misnamed: 'version' } });
  });

  it('find their structure version before and after its master data', async () => {
    await apply(completed(byKey));
    expect((await applyReferenceData(pool(), [change(database())])).size).to.equal(0);
    await apply(completed({ ...byKey, workOrderOperationKey: 'FA-2026-1000/0020' }));
    const [row] = await query('SELECT * FROM takt.product_structure_versions');
    expect(row).to.include({
      ...{ product_structure_version_key: 'WL-10.4700', product_key: 'WL-10', product_name: 'Bracket' },
      number_of_completed_operations: '2',
    });
    expect(await query('SELECT * FROM takt.products')).to.have.nested.property('0.product_key', 'WL-10');
    const [text] = await query('SELECT * FROM takt.structure_version_texts');
    expect(text.folded.split('\n')).to.include.members(['wl-10', 'wl-10.4700']);
  });

  it('are told by audit, rebuild and unlisted, which also repair copies of keys', async () => {
    await apply(completed(byKey));
    const { value: page } = await listUnlistedStructureVersions(pool(), { only: database() }).next();
    expect(page).to.deep.equal([
      {
        ...{ database: database(), productStructureVersionId: 1, productStructureVersionKey: 'WL-10.4700' },
        operations: 1,
      },
    ]);
    await applyReferenceData(pool(), [change(database())]);
    await pool().query(
      `UPDATE takt.product_structure_versions SET product_structure_version_key = 'x', product_key = NULL
       WHERE company_id = (SELECT company_id FROM takt.companies WHERE code = $1)`,
      [database()],
    );
    const { differences } = await auditProductionTimes(pool(), { database: database() });
    expect(
      differences.map(({ productStructureVersionKey: key, figure, stored, recomputed }) => [
        ...[key, figure, stored, recomputed],
      ]),
    ).to.deep.include.members([
      ['WL-10.4700', 'productStructureVersionKey', 'x', 'WL-10.4700'],
      ['WL-10.4700', 'productKey', null, 'WL-10'],
    ]);
    expect((await rebuildProductionTimes(pool(), { database: database() })).repaired).to.deep.equal([
      { database: database(), productStructureVersionId: 1, productStructureVersionKey: 'WL-10.4700' },
    ]);
  });

  it('give plan changes that name them by keys', async () => {
    await applyReferenceData(pool(), [change(database())]);
    await apply(completed({ ...byKey, runTime: '2.000000' }));
    const changes: PlanChange[] = [];
    await readPlanChanges(
      pool(),
      { database: database(), minOperations: 1, threshold: 10, includeUnsure: true },
      async (page) => void changes.push(...page),
    );
    expect(changes).to.have.length(1);
    expect(changes[0]).to.include({ productStructureVersionKey: 'WL-10.4700' });
    expect(changes[0]).not.to.have.property('productStructureVersionId');
    expect(changes[0]?.product).to.include({ productKey: 'WL-10' }).and.not.to.have.property('productId');
    const event = change(database(), changes[0]);
    expect((await applyReferenceData(pool(), [event])).size).to.equal(0);
  });

  it('find operations that were pruned', async () => {
    await apply(completed({ ...byKey, completedAt: '2024-03-01T06:00:00.000000Z' }));
    await pruneOperations(pool(), { database: database(), before: '2024-04-01' });
    expect(await apply(completed(byKey), completed({ ...byKey, revision: 2 }))).to.deep.equal({
      0: 'duplicate',
      1: { prunedBefore: '2024-04-01' },
    });
  });

  it('number each key once, whichever batches bring it at the same time, and never deadlock', async () => {
    const random = randomFrom(testSeed());
    const keys = Array.from({ length: 60 }, (_, index) => `K${index}`);
    const someEvent = (revision: number): WorkOrderOperationEvent =>
      completed({
        ...{ workOrderOperationId: null, workOrderOperationKey: random.pick(keys), revision },
        ...{ productStructureVersionId: null, productStructureVersionKey: random.pick(keys) },
        workOrderKey: random.pick(keys),
      });
    const batches = Array.from({ length: 60 }, (_, batch) =>
      Array.from({ length: 1 + random.below(20) }, (_, index) => someEvent(1 + batch * 20 + index)),
    );
    const used = new Set(batches.flat().map(({ workOrderOperationKey }) => workOrderOperationKey));
    const work = async () => {
      for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
        await Promise.all([
          applyWorkOrderOperationEvents(pool(), batch),
          applyReferenceData(pool(), [change(database(), { productStructureVersionKey: random.pick(keys) })]),
        ]);
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
    const numbers = Object.values(await numbersOf('operation'));
    expect(numbers).to.deep.equal(Array.from(used, (_, index) => index + 1));
  });

  it('decide once, even if a number and a key arrive at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const code = await registerCompany(pool());
      const both = await Promise.all([
        applyWorkOrderOperationEvents(pool(), [completed({ database: code })]),
        applyWorkOrderOperationEvents(pool(), [completed({ ...byKey, database: code })]),
      ]);
      expect(both.map(({ size }) => size).sort(), `round ${round}`).to.deep.equal([0, 1]);
    }
  });

  it(`give the figures that the same events give with numbers, with four workers that are killed, late master data and pruning (${HISTORIES} histories)`, async () => {
    const keyOf = (kind: string, number: number) => `${kind}-2026/${String(number).padStart(4, '0')}`;
    const toKeyed = (code: string, occurrence: Occurrence): WorkOrderOperationEvent => {
      const event = toEvent(code, 0, occurrence);
      const operation = {
        ...{ workOrderOperationId: null },
        workOrderOperationKey: keyOf('FA', Number(event.workOrderOperationId)),
      };
      if (event.type === 'work-order-operation.reopened.v1') return { ...event, ...operation };
      const version = keyOf('WL', Number(event.productStructureVersionId));
      return { ...event, ...operation, productStructureVersionId: null, productStructureVersionKey: version };
    };
    const masterData = (code: string, isKeyed: boolean) =>
      Array.from({ length: STRUCTURE_VERSIONS }, (_, index) => {
        const key = isKeyed ? keyOf('WL', index + 1) : null;
        return change(code, {
          productStructureVersionId: isKeyed ? null : index + 1,
          productStructureVersionKey: key,
        });
      });

    /** Runs a history in a company of its own, and returns its figures by structure version. */
    const run = async (
      { batches }: History,
      { isKeyed, before, kills }: { isKeyed: boolean; before: string | null; kills: number },
    ) => {
      const code = await registerCompany(pool());
      const steps = [...batches];
      const isDone = () => steps.length === 0;
      const work = async () => {
        for (let batch = steps.shift(); batch !== undefined; batch = steps.shift()) {
          const events = batch.map((one) => (isKeyed ? toKeyed(code, one) : toEvent(code, 0, one)));
          await untilApplied(() => applyWorkOrderOperationEvents(pool(), events));
        }
      };
      const kill = async () => {
        for (let kill = 0; kill < kills && !isDone(); kill++) {
          await pool().query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND query LIKE '%apply_work_order%' AND pid <> pg_backend_pid()
               AND state = 'active' LIMIT 1`,
          );
        }
      };
      const ofMasterData = async () => {
        for (const one of masterData(code, isKeyed)) {
          const outcomes = await untilApplied(() => applyReferenceData(pool(), [one]));
          // A change is applied again if its session ended after the commit.
          expect([...outcomes.values()].filter((outcome) => outcome !== 'duplicate')).to.deep.equal([]);
        }
      };
      await Promise.all([...Array.from({ length: 4 }, work), kill(), ofMasterData()]);
      // A session may notice only now that it was ended.
      if (before !== null) {
        await untilApplied(() => pruneOperations(pool(), { database: code, before }));
      }
      const numbers = isKeyed ? await untilApplied(() => numbersOf('version', code)) : undefined;
      const nameOf = (id: number) =>
        Object.entries(numbers ?? {}).find(([, number]) => number === id)?.[0] ?? keyOf('WL', id);
      const figures = await untilApplied(() => readServedFigures(pool(), code));
      const months = await untilApplied(() => readMonthlyFigures(pool(), code));
      return Object.fromEntries(
        [...figures].map(([id, one]) => [nameOf(id), { ...one, months: months.get(id) }]),
      );
    };

    const property = fc.asyncProperty(
      anyHistory,
      fc.option(fc.constantFrom(...DAYS)),
      fc.nat({ max: 3 }),
      async (history, before, kills) => {
        const byNumber = await run(history, { isKeyed: false, before, kills: 0 });
        expect(await run(history, { isKeyed: true, before, kills })).to.deep.equal(byNumber);
      },
    );
    await fc.assert(property, { seed: testSeed(), numRuns: HISTORIES });
  });
});

/** Repeats an attempt whose session was ended, as a worker does. */
async function untilApplied<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const wasKilled = error instanceof pg.DatabaseError && error.code === '57P01';
      if (!wasKilled && !/terminated|Connection/.test(String(error))) throw error;
    }
  }
}
