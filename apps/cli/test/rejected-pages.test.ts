import type { EventQueue } from '@takt/events/internal';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation } from './support/test-installation.js';

describe('a list of very many rejected events', function () {
  this.timeout(180_000);
  const COUNT = 250;
  const installation = opened(openTestInstallation);
  let queue: EventQueue;

  before(async () => {
    const [first] = installation.queues;
    if (first === undefined) throw new Error('there is no queue');
    queue = first;
    await queue.addBulk(
      Array.from({ length: COUNT }, (_, index) => ({
        name: 'event',
        data: { hostile: '\u001b[2J\u202e' },
        opts: { jobId: `job-${index}` },
      })),
    );
    await installation.database.pool.query(
      `UPDATE bullmq.job SET state = 'failed', failed_reason = E'bad \\x1b[31mred', finished_at_ms = added_at_ms + 5`,
    );
  });

  it('is printed under one line of headings without control characters', async () => {
    const takt = (...args: readonly string[]) => runTakt(['rejected', ...args], installation.environment);
    const [table, list, event] = await Promise.all([
      takt('list'),
      takt('list', '--json'),
      takt('show', 'work-order-operations/job-7', '--json'),
    ]);
    expect(table.stdout.trimEnd().split('\n').length).to.equal(COUNT + 1);
    expect(table.stdout).to.include('bad \\u001b[31mred').and.to.not.include('\u001b');
    expect(JSON.parse(list.stdout)).to.have.length(COUNT);
    expect(event.stdout).to.include('\\u001b[2J\\u202e');
    expect(JSON.parse(event.stdout)).to.deep.include({
      id: 'work-order-operations/job-7',
      queue: 'work-order-operations',
      reason: 'bad \u001b[31mred',
      event: { hostile: '\u001b[2J\u202e' },
    });
  });

  it('can be retried; each job then counts as never delivered', async () => {
    await installation.database.pool.query(
      "UPDATE bullmq.job SET attempts_started = 101, attempts_made = 1 WHERE id = 'job-7'",
    );
    const { stdout } = await runTakt(
      ['rejected', 'retry', 'work-order-operations/job-7'],
      installation.environment,
    );
    expect(stdout).to.equal('retried 1\n');
    expect(await queue.getJob('job-7')).to.include({ attemptsStarted: 0, attemptsMade: 0 });
    expect(await queue.getJobState('job-7')).to.equal('waiting');
  });
});
