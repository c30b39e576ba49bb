import { openPublisher, type Publisher } from '@takt/events';
import { addCompany } from '@takt/figures/master-data';
import { nistUnivariateSets } from '@takt/test-support';
import { expect } from 'chai';
import { readServedFigures } from './support/served-figures.js';
import { openTestSystem, queueStoreKinds, type TestSystem } from './support/test-system.js';

const DRAIN_DEADLINE_MS = 120_000;

for (const kind of queueStoreKinds) {
  describe(`the univariate data sets of NIST, through ${kind}, worker and table,`, function () {
    this.timeout(2 * DRAIN_DEADLINE_MS);
    let system: TestSystem;
    let publisher: Publisher;

    before(async function () {
      system = await openTestSystem(this, kind);
      await addCompany(system.database, 'NIST', 'Statistical Reference Datasets');
      await system.startWorkers(1);
      publisher = await openPublisher(system.queueUrl);
      for (const [index, { values }] of nistUnivariateSets.entries()) {
        const batchSize = kind === 'redis' ? 1 : 100;
        await publisher.publish(toCompletions(index + 1, values), { batchSize });
      }
      await system.drain(DRAIN_DEADLINE_MS);
    });
    after(async () => {
      await publisher?.close();
      await system?.close();
    });

    for (const [index, { name, values, average, deviation }] of nistUnivariateSets.entries()) {
      it(`${name}: average and deviation are the certified ones in all 6 decimals`, async () => {
        const { [String(index + 1)]: figures } = await readServedFigures(system.pool, 'NIST');
        expect(figures?.numberOfCompletedProductionWorkOrders).to.equal(values.length);
        for (const times of [figures?.run, figures?.setup, figures?.cleanup]) {
          expect(times).to.include({ average, deviation });
        }
      });
    }
  });
}

/** One operation a value, which is its run, setup and cleanup time. */
function toCompletions(productStructureVersionId: number, hours: readonly string[]) {
  return hours.map((runTime, index) => ({
    specversion: '1.0',
    id: `${productStructureVersionId}/${index}`,
    source: '/nist/strd',
    type: 'work-order-operation.completed.v1',
    time: '2024-05-31T16:20:00Z',
    data: {
      database: 'NIST',
      workOrderOperationId: productStructureVersionId * 10_000 + index,
      revision: 1,
      productStructureVersionId,
      completedAt: '2024-05-31T16:20:00Z',
      runTime,
      setupTime: runTime,
      cleanupTime: runTime,
    },
  }));
}
