import { once } from 'node:events';
import { runTakt, spawnTakt } from '@takt/test-support';
import { expect } from 'chai';

const ARGS = ['generate', '--events', '500', '--structures', '20', '--companies', 'TEM-NO,TEM-SE'];

describe('takt generate', function () {
  this.timeout(180_000);
  it('prints the same bytes for the same arguments and others for another seed', async () => {
    const [one, two, other] = await Promise.all([
      runTakt([...ARGS, '--corrections', '0.1', '--duplicates', '0.1'], {}),
      runTakt([...ARGS, '--corrections', '0.1', '--duplicates', '0.1', '--seed', '1'], {}),
      runTakt([...ARGS, '--corrections', '0.1', '--duplicates', '0.1', '--seed', '2'], {}),
    ]);
    expect(one).to.include({ code: 0, stderr: '' });
    expect(two.stdout).to.equal(one.stdout);
    expect(other.stdout).to.not.equal(one.stdout);
    const lines = one.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ type }) => String(type).startsWith('work-order')).length).to.equal(550);
    expect(lines[0].type).to.equal('product-structure-version.changed.v1');
  });

  it('ends quietly when nobody reads on', async () => {
    const child = spawnTakt(['generate', '--events', '1000000000'], {});
    let talk = '';
    child.stderr.on('data', (chunk) => {
      talk += String(chunk);
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'exit');
    expect({ code, talk }).to.deep.equal({ code: 0, talk: '' });
  });

  it('asks for a structure version for each company', async () => {
    const { code, stderr } = await runTakt([...ARGS, '--structures', '1'], {});
    expect(stderr).to.include('--structures must be at least 2');
    expect(code).to.equal(2);
  });
});
