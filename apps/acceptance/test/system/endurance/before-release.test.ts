import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, runTakt, startApp, type TestDatabase } from '@takt/database/testing';
import { leaveOut } from '@takt/test-support';
import { expect } from 'chai';
import { buildVersionBeforeRelease, type OtherVersion } from '../../support/other-versions.js';

/** Reads the figures of all companies. Ids of companies may differ after a restore, so it reads their codes. */
const FIGURES = `SELECT code, product_structure_version_id, listed.name, product_name, number_of_completed_operations,
    average_run_time, shortest_run_time, longest_run_time, deviation_run_time, average_setup_time, average_cleanup_time,
    run_time_over_plan_percent, hours_over_plan
  FROM takt.product_structure_versions AS listed JOIN takt.companies USING (company_id) ORDER BY 1, 2`;
const MONTHS = `SELECT code, product_structure_version_id, month, number_of_completed_operations, run_time_sum
  FROM takt.monthly_figures JOIN takt.companies USING (company_id) ORDER BY 1, 2, 3`;

describe('a database of the last version before 1.0.0', function () {
  this.timeout(600_000);
  let previous: OtherVersion;
  let old: TestDatabase;
  let folder: string;
  /** Runs a command of the last version before 1.0.0 and expects that it succeeds. */
  const runBefore = async (args: readonly string[], input = '') => {
    const { code, stdout, stderr } = await runTakt(args, { DATABASE_URL: old.url }, input, previous.root);
    expect(code, stderr).to.equal(0);
    return stdout;
  };

  before(async function () {
    const built = await buildVersionBeforeRelease();
    if (typeof built === 'string') return leaveOut(this, built);
    previous = built;
    folder = await mkdtemp(join(tmpdir(), 'takt-before-release-'));
    old = await createTestDatabase({ migrated: false });
    await runBefore(['migrate']);
    await runBefore(['company', 'add', 'TEM-NO', 'Tempus Norge']);
    await runBefore(['user', 'add', 'Nilsen', '--database', 'TEM-NO', '--role', 'planner']);
    const events = await runBefore(['generate', '--companies', 'TEM-NO', '--events', '3000']);
    await runBefore(['publish', '-'], events);
    const worker = await startApp('worker', { databaseUrl: old.url, queueUrl: old.url, root: previous.root });
    await runBefore(['drain', '--timeout', '120']);
    await worker.stop();
  });
  after(async () => {
    await old?.close();
    await previous?.remove();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it('is refused by migrate and by apps, which say that a backup takes its data over, and stays unchanged', async () => {
    const refusal = 'back it up with that Takt (takt backup)';
    const migrated = await runTakt(['migrate'], { DATABASE_URL: old.url });
    expect(migrated.code).to.equal(1);
    expect(migrated.stderr).to.include(refusal);
    expect(await startApp('api', { databaseUrl: old.url }).catch(String)).to.include(refusal);
    await runBefore(['audit']);
  });

  it('is taken over by a backup and a restore, with every figure, month and person', async () => {
    const file = join(folder, 'before.takt');
    await runBefore(['backup', file]);
    const target = await createTestDatabase({ migrated: false });
    try {
      const environment = { DATABASE_URL: target.url };
      const restored = await runTakt(['restore', file], environment);
      expect(restored.code, restored.stderr).to.equal(0);
      for (const query of [FIGURES, MONTHS, 'SELECT pid, name, roles FROM takt.users ORDER BY 1']) {
        const { rows } = await old.database.pool.query(query);
        expect(rows.length, query).to.be.above(0);
        expect((await target.database.pool.query(query)).rows, query).to.deep.equal(rows);
      }
      const audit = await runTakt(['audit'], environment);
      expect(audit.code, audit.stderr).to.equal(0);
      expect((await runTakt(['migrate'], environment)).code).to.equal(0);
    } finally {
      await target.close();
    }
  });
});
