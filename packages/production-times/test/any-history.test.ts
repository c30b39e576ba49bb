import { createTestDatabase, type TestDatabase, testSeed, wantsLongTests } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  type IneffectiveOutcome,
} from '../src/index.js';
import { registerCompany } from './companies.js';
import {
  anyHistory,
  figuresAfter,
  type History,
  IDENTIFIERS,
  monthsAfter,
  NO_FIGURES,
  toEvent,
} from './histories.js';
import { readMonthlyFigures, readServedFigures } from './served-figures.js';

const HISTORIES = wantsLongTests() ? 10_000 : 2_000;

describe('any history', () => {
  let test: TestDatabase;
  let database: string;
  let histories = 0;

  before(async () => {
    test = await createTestDatabase();
    database = await registerCompany(test.database.pool);
  });
  after(() => test.close());

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
    const expected = figuresAfter(history);
    const range = { first: offset + 1, last: offset + IDENTIFIERS };
    const stored = await readServedFigures(pool, database, range);
    for (const [id, figures] of stored) {
      expect(figures, `structure version ${id - offset}`).to.deep.equal(
        expected.get(id - offset) ?? NO_FIGURES,
      );
      expected.delete(id - offset);
    }
    expect([...expected.keys()], 'structure versions without figures').to.deep.equal([]);
    const months = await readMonthlyFigures(pool, database, range);
    const moved = [...monthsAfter(history)].map(([id, figures]) => [offset + id, figures] as const);
    expect(months, 'months').to.deep.equal(new Map(moved));
  }
});
