import { createTestDatabase, needsProgram, startTestRedis } from '@takt/test-support';
import type { Context } from 'mocha';
import { migrateQueueSchema } from '../../src/index.js';

/** A store for the queues of one suite. */
export interface TestStore {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** What a suite that must hold on every store is run on. */
export const queueStores: readonly {
  readonly name: string;
  readonly start: (context: Context) => Promise<TestStore>;
}[] = [
  {
    name: 'Redis',
    start: async (context) => {
      needsProgram(context, 'redis-server');
      return startTestRedis();
    },
  },
  {
    name: 'PostgreSQL',
    start: async () => {
      const { url, close } = await createTestDatabase({ migrated: false });
      await migrateQueueSchema(url);
      return { url, close };
    },
  },
];
