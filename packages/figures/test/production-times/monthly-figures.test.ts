import { expect } from 'chai';
import pg from 'pg';
import { applyWorkOrderOperationEvents, pruneOperations } from '../../src/production-times/index.js';
import { useApplyFixture } from './apply-fixture.js';
import { NO_FIGURES } from './histories.js';
import { readMonthlyFigures } from './served-figures.js';

describe('the figures of a month', () => {
  const { completed, reopened, apply, pool, database } = useApplyFixture();
  const months = async (version = 100) => (await readMonthlyFigures(pool(), database())).get(version) ?? {};
  /**
   * Returns for each month the number of operations, the shortest and the longest run time, and the last completion.
   */
  const summary = async (version = 100) =>
    Object.fromEntries(
      Object.entries(await months(version)).map(([month, { operations, run, last }]) => [
        month,
        [operations, run[1], run[2], last],
      ]),
    );
  const at = (day: string, hour = '06') => `2024-${day}T${hour}:00:00.000000Z`;

  it('cover the operations that were completed in the month', async () => {
    await apply(
      completed({ workOrderOperationId: 1, completedAt: at('01-05'), runTime: '1.000000' }),
      completed({
        workOrderOperationId: 2,
        completedAt: at('01-07'),
        runTime: '2.000000',
        setupTime: '0.500000',
      }),
      completed({ workOrderOperationId: 3, completedAt: at('02-01'), runTime: '7.000000' }),
    );
    const { setup, cleanup } = NO_FIGURES;
    expect(await months()).to.deep.equal({
      '2024-01': {
        operations: 2,
        run: ['1.500000', '1.000000', '2.000000', '0.500000'],
        setup: ['0.500000', '0.500000', '0.500000', '0.000000'],
        cleanup,
        last: at('01-07'),
      },
      '2024-02': {
        operations: 1,
        run: ['7.000000', '7.000000', '7.000000', '0.000000'],
        setup,
        cleanup,
        last: at('02-01'),
      },
    });
  });

  it('use UTC, even if the session has another time zone', async () => {
    const inAuckland = new pg.Client({
      connectionString: pool().options.connectionString,
      options: '-c TimeZone=Pacific/Auckland',
    });
    await inAuckland.connect();
    const last = '2024-01-31T23:59:59.999999Z';
    await applyWorkOrderOperationEvents(inAuckland, [
      completed({ workOrderOperationId: 1, completedAt: last }),
      completed({ workOrderOperationId: 2, completedAt: '2024-02-01T00:00:00.000000Z' }),
    ]);
    // The shortest time of January leaves January. The shortest time of February must not replace it there.
    await applyWorkOrderOperationEvents(inAuckland, [
      completed({ workOrderOperationId: 3, completedAt: at('01-02'), runTime: '0.500000' }),
    ]);
    await applyWorkOrderOperationEvents(inAuckland, [reopened({ workOrderOperationId: 3 })]);
    await inAuckland.end();
    expect(await summary()).to.deep.equal({
      '2024-01': [1, '1.000000', '1.000000', last],
      '2024-02': [1, '1.000000', '1.000000', '2024-02-01T00:00:00.000000Z'],
    });
  });

  it('are recomputed when an extreme or the last operation leaves the month', async () => {
    await apply(
      completed({ workOrderOperationId: 1, completedAt: at('01-02', '09'), runTime: '2.000000' }),
      completed({ workOrderOperationId: 2, completedAt: at('01-02', '08'), runTime: '4.000000' }),
      completed({ workOrderOperationId: 3, completedAt: at('02-02'), runTime: '1.000000' }),
      // These are pruned too, but in another month, so the recomputation of January must not find them.
      completed({ workOrderOperationId: 7, completedAt: '2023-12-05T12:00:00.000000Z', runTime: '0.050000' }),
      completed({
        workOrderOperationId: 8,
        completedAt: '2023-12-06T12:00:00.000000Z',
        runTime: '20.000000',
      }),
    );
    await pruneOperations(pool(), { database: database(), before: '2024-01-10' });
    const pruned = await summary();
    await apply(
      completed({ workOrderOperationId: 4, completedAt: at('01-20'), runTime: '3.000000' }),
      completed({ workOrderOperationId: 5, completedAt: at('01-30'), runTime: '9.000000' }),
      completed({ workOrderOperationId: 6, completedAt: at('01-29'), runTime: '0.100000' }),
    );
    await apply(reopened({ workOrderOperationId: 5 }), reopened({ workOrderOperationId: 6 }));
    expect((await summary())['2024-01']).to.deep.equal([3, '2.000000', '4.000000', at('01-20')]);
    await apply(reopened({ workOrderOperationId: 4 }));
    expect(await summary()).to.deep.equal(pruned);
  });
});
