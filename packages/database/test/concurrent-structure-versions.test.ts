import { opened, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { applyShuffled, instantOf, openConcurrentWriters } from './concurrent-writers.js';
import {
  readMasterData,
  type StructureVersionChange,
  structureVersionChange,
} from './structure-version-changes.js';

const CHANGES = 300;
const STRUCTURE_VERSIONS = 10;
const PRODUCTS = 6;
const seed = testSeed();

describe(`four concurrent writers of the same structure versions (seed ${seed})`, () => {
  const changes = randomChanges();
  const completions = changes.map(completionOf);
  const writers = opened(openConcurrentWriters);
  let found: Awaited<ReturnType<typeof readMasterData>>;

  before(async () => {
    const { connections, test } = writers;
    await Promise.all([
      ...connections.map((connection, index) =>
        applyShuffled(connection, 'apply_product_structure_version_changes', changes, seed + index),
      ),
      // The worker of the operations writes the same rows. It may receive a job twice, so each event is applied twice.
      ...[10, 11].map((offset) =>
        applyShuffled(test.database, 'apply_work_order_operation_events', completions, seed + offset),
      ),
    ]);
    found = await readMasterData(test.database);
  });

  it('cause no deadlock, and store the newest change of each product', () => {
    expect(
      found.products.map(({ productId, name, description }) => ({ productId, name, description })),
    ).to.deep.equal(
      newestBy(changes, (change) => change.productId).map((change) => ({
        productId: change.productId,
        name: change.productName,
        description: change.productDescription,
      })),
    );
  });

  it('store the newest change of each structure version, with the newest name of its product', () => {
    const nameOf = new Map(found.products.map(({ productId, name }) => [productId, name]));
    expect(
      found.structureVersions.map((row) => [
        row.productStructureVersionId,
        row.name,
        row.productId,
        row.productName,
      ]),
    ).to.deep.equal(
      newestBy(changes, (change) => change.productStructureVersionId).map((change) => [
        change.productStructureVersionId,
        change.name,
        change.productId,
        nameOf.get(change.productId),
      ]),
    );
  });

  it('count every completed operation once', () => {
    const counts = found.structureVersions.map((row) => row.numberOfCompletedOperations);
    expect(counts.reduce((sum, count) => sum + count)).to.equal(CHANGES);
  });
});

/**
 * Returns random changes, oldest first. Each change can move a structure version to another product, and renames that
 * product.
 */
function randomChanges(): readonly StructureVersionChange[] {
  const pair = fc.tuple(
    fc.integer({ min: 1, max: STRUCTURE_VERSIONS }),
    fc.integer({ min: 1, max: PRODUCTS }),
  );
  return fc.sample(pair, { seed, numRuns: CHANGES }).map(([productStructureVersionId, productId], index) =>
    structureVersionChange({
      productStructureVersionId,
      productId,
      changedAt: instantOf(index),
      name: `name ${index}`,
      productName: `product name ${index}`,
      productDescription: `description ${index}`,
    }),
  );
}

/** Returns a completed operation of the structure version of a change. */
function completionOf(change: StructureVersionChange, index: number) {
  return {
    database: change.database,
    workOrderOperationId: index + 1,
    revision: 1,
    productStructureVersionId: change.productStructureVersionId,
    workOrderId: null,
    changedAt: change.changedAt,
    runTime: '1.5',
    setupTime: null,
    cleanupTime: null,
  };
}

/** Returns the last change of each key. `changes` must be sorted from the oldest to the newest. */
function newestBy(
  changes: readonly StructureVersionChange[],
  keyOf: (change: StructureVersionChange) => number,
): readonly StructureVersionChange[] {
  const newest = new Map(changes.map((change) => [keyOf(change), change]));
  return [...newest.values()].sort((a, b) => keyOf(a) - keyOf(b));
}
