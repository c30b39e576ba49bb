import { createTestDatabase } from '@takt/database/testing';
import { openedForEach, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import type pg from 'pg';
import { registerCompany } from './companies.js';
import { contend } from './contended-batches.js';

const BATCHES = shareOf(10_000);

describe('concurrent batches', () => {
  const test = openedForEach(createTestDatabase);

  it(`on 8 connections keep the figures exact, as an audit after every 1,000 of ${BATCHES} batches confirms`, async function () {
    this.timeout(300_000);
    const seed = testSeed();
    const database = await registerCompany(test.database.pool);
    const report = await contend(test.database.pool, {
      ...{ database, seed, connections: 8 },
      ...{ batches: BATCHES, batchesPerAudit: 1_000 },
    });
    expect(report.differences).to.deep.equal([]);
    expect(report.structureVersions).to.equal(3);
  });

  it('would falsify the figures if one statement both took the lock and looked up the extremes', async () => {
    const { pool } = test.database;
    const seed = testSeed();
    const database = await registerCompany(pool);
    // Without the lock, the batches also do not lock rows in the order of their keys, so deadlocks are expected.
    await pool.query(`
      CREATE OR REPLACE FUNCTION takt.lock_figures(only_company integer, changes takt.figures_change[]) RETURNS void
      LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id)
        SELECT company_id, product_structure_version_id FROM unnest(changes)
        ON CONFLICT DO NOTHING;
      END $$`);
    await updateByKey(pool);
    // These batches create the rows in advance. Without the lock, two concurrent batches could create the same row.
    await contend(pool, { database, seed, connections: 1, batches: 200, batchesPerAudit: 200 });

    const report = await contend(pool, {
      ...{ database, seed, connections: 8 },
      ...{ batches: 10_000, batchesPerAudit: 100, allowsDeadlocks: true },
    });
    expect(report.differences.map((difference) => difference.figure)).to.include.oneOf(EXTREMES);
  });
});

/**
 * Makes the function find rows by key instead of ctid. Without the lock, a row can move, so that an update by ctid
 * misses it.
 */
async function updateByKey(pool: pg.Pool): Promise<void> {
  const key = `figures.company_id = change.company_id
    AND figures.product_structure_version_id = change.product_structure_version_id`;
  for (const [name, ofRow] of Object.entries({
    add_to_figures: key,
    add_to_monthly_figures: `${key} AND figures.month = change.month`,
    look_up_monthly_extremes: `${key} AND figures.month = change.month`,
  })) {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT pg_get_functiondef('takt.${name}'::regproc) AS text`,
    );
    const text = rows[0]?.text ?? '';
    const byKey = text.replace('figures.ctid = known.place', ofRow);
    expect(byKey).not.to.equal(text);
    await pool.query(byKey);
  }
}

const EXTREMES = [
  ...['shortestRunTime', 'longestRunTime', 'shortestSetupTime', 'longestSetupTime'],
  ...['shortestCleanupTime', 'longestCleanupTime'],
];
