import { describeCluster, initCluster, isCluster, migrate } from '@takt/database';
import { createTestDatabase, needsCluster } from '@takt/database/testing';
import { openedForEach, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  rebuildProductionTimes,
  type WorkOrderOperationEvent,
} from '../../src/production-times/index.js';
import { registerCompany } from '../production-times/companies.js';
import { completed, reopened } from '../production-times/events.js';

const COMPANIES = 9;
const OPERATIONS = 900;

describe('a cluster that is created from a filled database', function () {
  this.timeout(120_000);
  let servers: ReturnType<typeof needsCluster>;
  before(function () {
    servers = needsCluster(this);
  });
  const test = openedForEach(() => createTestDatabase({ migrated: false }));

  it('keeps the figures, and counts each event of a batch for all companies once', async () => {
    const { url, database } = test;
    const { pool } = database;
    await migrate(url);
    const companies: string[] = [];
    for (let count = 0; count < COMPANIES; count++) companies.push(await registerCompany(pool));
    const events = Array.from({ length: OPERATIONS }, (_, index) =>
      completed({
        database: companies[index % COMPANIES] ?? '',
        workOrderOperationId: index + 1,
        productStructureVersionId: 1 + ((index * 7) % 40),
        runTime: `${1 + ((index * testSeed()) % 97)}.5`,
      }),
    );
    await applyWorkOrderOperationEvents(pool, events);
    const before = await auditProductionTimes(pool);
    expect(before).to.deep.include({ operations: OPERATIONS, differences: [] });

    expect(await isCluster(pool)).to.equal(false);
    // The first run was interrupted. The second run repairs its remains.
    await initCluster({ url, ...servers });
    await initCluster({ url, ...servers });
    expect(await isCluster(pool)).to.equal(true);
    expect(await auditProductionTimes(pool)).to.deep.equal(before);

    const changes: WorkOrderOperationEvent[] = events.map((event, index) =>
      index % 3 === 0
        ? reopened({
            database: event.database,
            workOrderOperationId: event.workOrderOperationId,
            revision: 2,
          })
        : { ...event, revision: 2, runTime: '0.25' },
    );
    const unknown = completed({ database: 'NOWHERE' });
    // The sessions of the pool still assume a single server, so one batch fails. The next batch succeeds.
    const batch = [...changes, unknown];
    const outcomes = await applyWorkOrderOperationEvents(pool, batch).catch(() =>
      applyWorkOrderOperationEvents(pool, batch),
    );
    expect([...outcomes]).to.deep.equal([[OPERATIONS, 'unknown-company']]);
    const after = await auditProductionTimes(pool);
    expect(after).to.deep.include({ operations: (OPERATIONS / 3) * 2, differences: [] });
    expect([...(await applyWorkOrderOperationEvents(pool, changes)).values()]).to.deep.equal(
      changes.map(() => 'duplicate'),
    );
    expect((await rebuildProductionTimes(pool)).repaired).to.deep.equal([]);

    await migrate(url);
    const nodes = await describeCluster(pool);
    for (const { bytes } of nodes) expect(bytes).to.be.above(1e6);
    expect(nodes.map((node) => node.companies)).to.satisfy(
      ([none, ...counts]: number[]) => none === 0 && counts.reduce((sum, count) => sum + count) === COMPANIES,
    );
  });
});
