import { createTestDatabase } from '@takt/database/testing';
import {
  beginsOfMonth,
  monthIn,
  opened,
  shareOf,
  TIME_ZONES,
  testSeed,
  wantsLongTests,
} from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { changeTimeZone } from '../../src/master-data/index.js';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  pruneOperations,
  rebuildProductionTimes,
} from '../../src/production-times/index.js';
import { registerCompany } from './companies.js';
import {
  anyHistory,
  anyHistoryAt,
  DAYS,
  expectFiguresAfter,
  type History,
  IDENTIFIERS,
  toEvent,
} from './histories.js';

const HISTORIES = shareOf(2_000);
const INTERRUPTED = shareOf(120);
/**
 * Instants around the beginnings of months, for time zones that change their clocks: in Havana, the hour after midnight
 * of 2020-11-01 occurred twice; in Asuncion, the hour after midnight of 2023-10-01 did not occur.
 */
const INSTANTS = ['2020-11', '2023-10', '2024-04', '2025-01'].flatMap(beginsOfMonth);

const prunings = fc.array(fc.record({ after: fc.nat({ max: 9 }), before: fc.constantFrom(...DAYS) }), {
  minLength: 1,
  maxLength: 3,
});
const zones = fc.array(fc.constantFrom(...TIME_ZONES), { minLength: 1, maxLength: 3 });
const prunedBefore = fc.option(fc.constantFrom('2020-11-01', '2023-10-01', '2024-04-02'), { freq: 2 });

/** Work that runs between or during the batches of a history. */
interface Interruptions {
  /** The prunings: each follows a certain batch, and deletes operations before a certain day. */
  readonly prunings?: readonly { readonly after: number; readonly before: string }[];
  /** Work that runs while the workers apply the batches. */
  readonly meanwhile?: () => Promise<void>;
  /** Returns the month of an instant that the test expects after the history. By default it is the month in UTC. */
  readonly monthOf?: (at: string) => string;
}

describe(`the figures of any history (seed ${testSeed()})`, function () {
  this.timeout(600_000);
  const test = opened(createTestDatabase);
  let database: string;
  let histories = 0;
  let rejections = 0;

  beforeEach(async () => {
    database = await registerCompany(test.database.pool);
  });
  afterEach('the audit agrees, and a rebuild repairs nothing', async () => {
    const { pool } = test.database;
    const { structureVersions, differences } = await auditProductionTimes(pool);
    expect(structureVersions).to.be.above(histories);
    expect(differences).to.deep.equal([]);
    expect((await rebuildProductionTimes(pool)).repaired).to.deep.equal([]);
  });

  /** Applies a history with several workers. Expects figures that count all events except the rejected ones. */
  async function check(
    history: History,
    { prunings = [], meanwhile, monthOf }: Interruptions = {},
  ): Promise<void> {
    const { pool } = test.database;
    const offset = histories * IDENTIFIERS;
    histories += 1;
    const steps = history.batches.flatMap((batch, index) => [
      { batch },
      ...prunings.filter(({ after }) => after === index),
    ]);
    const takenIn: History['batches'][number][] = [];

    async function work(): Promise<void> {
      for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
        if ('before' in step) {
          await pruneOperations(pool, { database, before: step.before });
          continue;
        }
        const { batch } = step;
        const outcomes = await applyWorkOrderOperationEvents(
          pool,
          batch.map((one) => toEvent(database, offset, one)),
        );
        expect([...outcomes.values()]).not.to.include.oneOf(['conflict', 'unknown-company']);
        takenIn.push(batch.filter((_, index) => typeof outcomes.get(index) !== 'object'));
        rejections += [...outcomes.values()].filter((outcome) => typeof outcome === 'object').length;
      }
    }

    await Promise.all([meanwhile?.(), ...Array.from({ length: history.workers }, work)]);
    await expectFiguresAfter({ ...history, batches: takenIn }, { pool, database, offset }, monthOf);
  }

  it(`equal a recomputation in rational arithmetic to the last digit (${HISTORIES} histories)`, async () => {
    const property = fc.asyncProperty(anyHistory, (history) => check(history));
    await fc.assert(property, { seed: testSeed(), numRuns: HISTORIES });
    expect(rejections).to.equal(0);
  });

  it(`count all events that were not rejected, even if operations are pruned between batches (${INTERRUPTED} histories)`, async () => {
    const property = fc.asyncProperty(anyHistory, prunings, (history, pruned) =>
      check(history, { prunings: pruned }),
    );
    await fc.assert(property, { seed: testSeed(), numRuns: INTERRUPTED });
    // A short run may have no rejections.
    if (wantsLongTests()) expect(rejections).to.be.above(INTERRUPTED / 10);
  });

  it(`use the months of the last time zone, even if the zone changes meanwhile (${INTERRUPTED} histories)`, async () => {
    const { pool } = test.database;
    const property = fc.asyncProperty(
      anyHistoryAt(INSTANTS),
      zones,
      prunedBefore,
      async (history, changes, before) => {
        // Each history has its own company. Otherwise the pruned sums of an earlier history would stay in the months of
        // that history.
        database = await registerCompany(pool);
        const meanwhile = async () => {
          for (const timeZone of changes) await changeTimeZone(pool, { database, timeZone });
          if (before !== null) await pruneOperations(pool, { database, before });
        };
        await check(history, { meanwhile, monthOf: monthIn(changes.at(-1) ?? 'UTC') });
      },
    );
    await fc.assert(property, { seed: testSeed(), numRuns: INTERRUPTED });
  });
});
