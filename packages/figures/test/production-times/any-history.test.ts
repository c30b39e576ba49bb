import { createTestDatabase } from '@takt/database/testing';
import { opened, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  type IneffectiveOutcome,
} from '../../src/production-times/index.js';
import { registerCompany } from './companies.js';
import { anyHistory, expectFiguresAfter, type History, IDENTIFIERS, toEvent } from './histories.js';

const HISTORIES = shareOf(2_000);

describe('any history', () => {
  const test = opened(createTestDatabase);
  let database: string;
  let histories = 0;

  before(async () => {
    database = await registerCompany(test.database.pool);
  });

  it(`gives the figures of a recomputation in rational arithmetic, as text (${HISTORIES} histories)`, async function () {
    this.timeout(600_000);
    await fc.assert(fc.asyncProperty(anyHistory, checkHistory), {
      seed: testSeed(),
      numRuns: HISTORIES,
    });
    const { structureVersions, differences } = await auditProductionTimes(test.database.pool);
    expect(structureVersions).to.be.above(HISTORIES);
    expect(differences).to.deep.equal([]);
  });

  async function checkHistory(history: History): Promise<void> {
    const { pool } = test.database;
    const offset = histories * IDENTIFIERS;
    histories += 1;
    const batches = history.batches.map((batch) => batch.map((one) => toEvent(database, offset, one)));
    const outcomes: IneffectiveOutcome[] = [];

    async function work(): Promise<void> {
      for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
        outcomes.push(...(await applyWorkOrderOperationEvents(pool, batch)).values());
      }
    }

    await Promise.all(Array.from({ length: history.workers }, work));
    expect(outcomes).not.to.include.oneOf(['conflict', 'unknown-company']);
    await expectFiguresAfter(history, { pool, database, offset });
  }
});
