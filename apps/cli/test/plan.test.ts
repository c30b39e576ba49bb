import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';

describe('takt plan capacity', () => {
  const plan = (...args: string[]) => runTakt(['plan', 'capacity', ...args], {});

  it('prints the requirements of a load with their derivation, without a database', async () => {
    const { code, stdout } = await plan('--events-per-second', '1000', '--structure-versions', '10000000');
    expect(code).to.equal(0);
    const [titles, ...lines] = stdout.trimEnd().split('\n');
    expect(titles).to.match(/^PART +NEEDS +AMOUNT +FOLLOWS FROM$/);
    for (const part of ['worker', 'PostgreSQL', 'Redis', 'API', 'disk', 'network', 'freshness']) {
      expect(lines.filter((line) => line.startsWith(`${part} `))).not.to.deep.equal([]);
    }
    expect(stdout).to.match(/^worker +processes +2 processes /m);
    expect(stdout).to.match(/^disk +ledger a day +[\d.]+ GB /m);
  });

  it('prints the same as JSON in whole units', async () => {
    const args = ['--events-per-second', '10000', '--structure-versions', '1000', '--json'];
    const { needs }: { needs: readonly { part: string; unit: string; amount: number }[] } = JSON.parse(
      (await plan(...args)).stdout,
    );
    expect(needs.find(({ part, unit }) => part === 'Redis' && unit === 'bytes')?.amount).to.be.above(1e9);
  });

  it('reports missing and wrong arguments', async () => {
    expect((await plan('--events-per-second', '1')).code).to.equal(2);
    const { code, stderr } = await plan('--events-per-second', 'many', '--structure-versions', '1');
    expect(code).to.equal(2);
    expect(stderr).to.match(/must be a number above 0/);
  });
});
