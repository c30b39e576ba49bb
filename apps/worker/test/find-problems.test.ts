import { createServer, type Socket } from 'node:net';
import { watchDatabase } from '@takt/database/app';
import { createTestDatabase } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { listen } from '@takt/run';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { type Foundation, findProblems } from '../src/find-problems.js';

describe('the report of a worker about its health', () => {
  const test = opened(createTestDatabase);
  let foundation: Foundation;

  before(async () => {
    await migrateQueueSchema(test.url);
    foundation = {
      checkDatabase: watchDatabase(() => test.database.pool),
      backend: {
        clockState: () => undefined,
        view: { countStuckJobs: async () => ({ jobs: 0, longestMs: 0 }) },
      },
      queueUrl: test.url,
      allowVolatileQueue: false,
      findSilence: () => [],
    };
  });

  it('is empty if there is no problem', async () => {
    expect(await findProblems(foundation)).to.deep.equal([]);
  });

  it('names a database that accepts connections without answering', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    const port = await listen(silent, 0, '127.0.0.1');
    const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'takt', database: 'takt' });
    try {
      expect(await findProblems({ ...foundation, checkDatabase: watchDatabase(() => pool) })).to.deep.equal([
        'the database did not answer in time',
      ]);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });

  it('names a queue with stuck jobs, a queue without an answer, and a clock that differs', async () => {
    const backend: Foundation['backend'] = {
      clockState: () => ({ aheadMs: -3_000, agrees: false }),
      view: {
        countStuckJobs: async (queue) => {
          if (queue === 'reference-data') return { jobs: 2, longestMs: 61_000 };
          throw new Error('away');
        },
      },
    };
    expect(await findProblems({ ...foundation, backend })).to.have.members([
      "the clock of this machine is 3.0 s behind the queue's, so no jobs are claimed until they agree to within 2 s: " +
        'let both follow a time server',
      'the queue work-order-operations cannot be reached (away): check QUEUE_URL and that the server runs',
      'queue: 2 jobs of reference-data are claimed without progress, the first for 61 s',
    ]);
  });

  it('includes queues without progress', async () => {
    const silent = { ...foundation, findSilence: () => ['jobs wait in a queue, none was claimed for 30 s'] };
    expect(await findProblems(silent)).to.deep.equal(['jobs wait in a queue, none was claimed for 30 s']);
  });
});
