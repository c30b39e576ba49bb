import { openPublisher, type Publisher } from '@takt/events';
import { addCompany } from '@takt/master-data';
import { nistUnivariateSets } from '@takt/test-support';
import { expect } from 'chai';
import { readServedFigures } from '../../src/served-figures.js';
import { openTestStage, queueStoreKinds, type TestStage } from '../../src/test-stage.js';

const DRAIN_DEADLINE_MS = 30_000;

for (const kind of queueStoreKinds) {
  describe(`the univariate data sets of NIST, through ${kind}, worker and table,`, function () {
    this.timeout(2 * DRAIN_DEADLINE_MS);
    let stage: TestStage;
    let publisher: Publisher;

    before(async function () {
      stage = await openTestStage(this, kind);
      await addCompany(stage.database, 'NIST', 'Statistical Reference Datasets');
      await stage.startWorkers(1);
      publisher = await openPublisher(stage.queueUrl);
      for (const [index, { values }] of nistUnivariateSets.entries()) {
        const batchSize = kind === 'redis' ? 1 : 100;
        await publisher.publish(toCompletions(index + 1, values), { batchSize });
      }
      await stage.drain(DRAIN_DEADLINE_MS);
    });
    after(async () => {
      await publisher?.close();
      await stage?.close();
    });

    for (const [index, { name, values, average, deviation }] of nistUnivariateSets.entries()) {
      it(`${name}: average and deviation are the certified ones in all 6 decimals`, async () => {
        const { [String(index + 1)]: figures } = await readServedFigures(stage.pool, 'NIST');
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
