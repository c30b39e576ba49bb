import { completion, opened } from '@takt/test-support';
import { expect } from 'chai';
import { applyEvents } from './support/apply-events.js';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation } from './support/test-installation.js';

describe('takt prune', function () {
  this.timeout(180_000);
  const installation = opened(openTestInstallation);
  const takt = (...args: readonly string[]) => runTakt(args, installation.environment);
  const prune = (...args: readonly string[]) =>
    takt('prune', '--database', 'TEM-NO', '--before', '2024-01-01', ...args);
  const countLedger = async () => {
    const { rows } = await installation.database.pool.query(
      'SELECT count(*)::integer AS operations FROM takt.work_order_operations',
    );
    return rows[0].operations;
  };

  before(async () => {
    const completions = [1, 2, 3].map((operation) => {
      const completedAt = operation === 3 ? '2024-01-01T00:00:00Z' : '2023-12-31T23:59:59Z';
      return completion(operation, { completedAt, productStructureVersionId: operation });
    });
    await applyEvents(installation.database.pool, completions);
  });

  it('reports the planned deletions with --dry-run, and changes nothing', async () => {
    expect(await prune('--dry-run')).to.deep.equal({
      code: 0,
      stdout: 'would prune 2 operations of 2 structure versions\n',
      stderr: 'takt: 2 operations become 2 rows of sums by structure version and month\n',
    });
    expect(await countLedger()).to.equal(3);
  });

  it('deletes operations, prints their number, and leaves no difference for the audit', async () => {
    expect(await prune()).to.deep.equal({
      ...{ code: 0, stdout: 'pruned 2 operations of 2 structure versions\n', stderr: '' },
    });
    expect(await countLedger()).to.equal(1);
    expect(await prune()).to.include({ stdout: 'pruned 0 operations of 0 structure versions\n' });
    expect(await takt('audit')).to.include({ stdout: 'audited 3 structure versions, 0 differences\n' });
    expect(await takt('rebuild')).to.include({ stdout: 'rebuilt 3 structure versions, 0 repaired\n' });
  });

  it('exits with status 2 for a wrong or missing day, and with status 1 for an unknown company or a recent day', async () => {
    const outcomes = await Promise.all([
      takt('prune', '--database', 'TEM-NO', '--before', '2024-02-30'),
      takt('prune', '--database', 'TEM-NO'),
      takt('prune', '--database', 'NOBODY', '--before', '2024-01-01'),
      takt('prune', '--database', 'TEM-NO', '--before', '2999-01-01'),
    ]);
    expect(outcomes.map(({ code }) => code)).to.deep.equal([2, 2, 1, 1]);
    const [noDay, missing, nobody, young] = outcomes.map(({ stderr }) => stderr);
    expect(noDay).to.include('It must be a day, as in 2025-12-31.');
    expect(missing).to.include("required option '--before <day>' not specified");
    expect(nobody).to.equal('takt: company NOBODY is not registered\n');
    expect(young).to.match(
      /^takt: operations from before 2999-01-01 cannot be pruned: .* is the latest day\n$/,
    );
  });
});
