import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation } from './support/test-installation.js';

describe('a list of very many rejected events', function () {
  this.timeout(180_000);
  const COUNT = 250;
  const installation = opened(openTestInstallation);
  let first: number;

  before(async () => {
    for (let index = 0; index < COUNT; index++) {
      const id = await installation.reject({ index, hostile: '\u001b[2J\u202e' }, 'bad \u001b[31mred');
      first ??= id;
    }
  });

  it('is printed under one line of headings without control characters', async () => {
    const takt = (...args: readonly string[]) => runTakt(['rejected', ...args], installation.environment);
    const [table, list, event] = await Promise.all([
      takt('list'),
      takt('list', '--json'),
      takt('show', String(first), '--json'),
    ]);
    expect(table.stdout.trimEnd().split('\n').length).to.equal(COUNT + 1);
    expect(table.stdout).to.include('bad \\u001b[31mred').and.to.not.include('\u001b');
    expect(JSON.parse(list.stdout)).to.have.length(COUNT);
    expect(event.stdout).to.include('\\u001b[2J\\u202e');
    expect(JSON.parse(event.stdout)).to.deep.include({
      id: first,
      queue: 'work-order-operations',
      times: 1,
      reason: 'bad \u001b[31mred',
      event: { index: 0, hostile: '\u001b[2J\u202e' },
    });
  });
});
