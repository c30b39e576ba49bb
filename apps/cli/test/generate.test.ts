import { createTestDatabase } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { applyEvents } from './support/apply-events.js';
import { runTakt } from './support/run-takt.js';

const ARGS = ['generate', '--events', '500', '--structures', '20', '--companies', 'TEM-NO,TEM-SE'];

describe('takt generate', function () {
  this.timeout(180_000);
  it('prints the same bytes for the same arguments, and other bytes for another seed', async () => {
    const [one, two, other] = await Promise.all([
      runTakt([...ARGS, '--corrections', '0.1', '--duplicates', '0.1'], {}),
      runTakt([...ARGS, '--corrections', '0.1', '--duplicates', '0.1', '--seed', '1'], {}),
      runTakt([...ARGS, '--corrections', '0.1', '--duplicates', '0.1', '--seed', '2'], {}),
    ]);
    expect(one.code).to.equal(0);
    expect(one.stderr).to.match(
      /^takt: 500 events from operation 1000001 on, and beside them \d+ of master data and 50 duplicates\n$/,
    );
    expect(two.stdout).to.equal(one.stdout);
    expect(other.stdout).to.not.equal(one.stdout);
    const lines = one.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ type }) => String(type).startsWith('work-order')).length).to.equal(550);
    expect(lines[0].type).to.equal('product-structure-version.changed.v1');
  });

  it('ends the year at the given instant, or at the end of the given day', async () => {
    const lastOf = async (until: string) => {
      const { stdout } = await runTakt([...ARGS, '--until', until], {});
      return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').time;
    };
    const [ofDay, ofInstant] = await Promise.all([lastOf('2026-03-01'), lastOf('2026-03-01T23:59:59Z')]);
    expect(ofDay)
      .to.equal(ofInstant)
      .and.to.match(/^2026-03-01T/);
    const { code, stderr } = await runTakt([...ARGS, '--until', '2026-02-30'], {});
    expect(stderr).to.include("'2026-02-30' is invalid. It must be a day, as in 2025-12-31");
    expect(code).to.equal(2);
  });

  it('begins at a given id, and uses no id of an existing operation', async () => {
    const test = await createTestDatabase();
    try {
      await addCompany(test.database, 'TEM-NO', 'Tempus Norge');
      await addCompany(test.database, 'TEM-SE', 'Tempus Sverige');
      const environment = { DATABASE_URL: test.url };
      const idsOf = (text: string) =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).data.workOrderOperationId)
          .filter((id) => id !== undefined);
      const first = await runTakt(ARGS, environment);
      expect(Math.min(...idsOf(first.stdout)), 'nothing is there').to.equal(1_000_001);
      await applyEvents(test.database.pool, [completion(2_000_000)]);
      const next = await runTakt(ARGS, environment);
      expect(Math.min(...idsOf(next.stdout))).to.equal(2_000_001);
      const told = await runTakt([...ARGS, '--first-operation', '7'], environment);
      expect(Math.min(...idsOf(told.stdout))).to.equal(7);
      const again = await runTakt([...ARGS, '--first-operation', '1000001'], environment);
      expect(again.stdout, 'the same bytes').to.equal(first.stdout);
      const nowhere = await runTakt(ARGS, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
      expect(nowhere.stdout).to.equal(first.stdout);
      expect(nowhere.stderr).to.match(
        /^takt: the largest operation of the database could not be read: .*ECONNREFUSED/,
      );
    } finally {
      await test.close();
    }
  });

  it('requires at least one structure version for each company', async () => {
    const { code, stderr } = await runTakt([...ARGS, '--structures', '1'], {});
    expect(stderr).to.include('--structures must be at least 2');
    expect(code).to.equal(2);
  });
});
