import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken } from '@takt/access';
import { openPublisher } from '@takt/events';
import { startIntakeProcess } from '@takt/test-support';
import type { RunContext } from './contestant.js';
import { openHttpClient } from './http-client.js';
import { COMPANY } from './workload.js';

/** What puts events into the queue while the worker works. */
export interface Producer {
  /** Of a process of its own, beside that of the benchmark. */
  readonly pid?: number;
  /** Resolves once the queue has stored the events. */
  readonly send: (events: readonly unknown[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Our publisher in this process, in jobs of so many events. */
export async function openPublishing({ redisUrl }: RunContext, batchSize: number): Promise<Producer> {
  const publisher = await openPublisher(redisUrl);
  return {
    send: async (events) => {
      await publisher.publish(events, { batchSize });
    },
    close: publisher.close,
  };
}

const TOKEN_LIFETIME_MS = 3_600_000;
/** A busy machine, and only that, may be told to come again; a client in earnest would wait as long as Retry-After says. */
const RETRY_MS = 100;

/** apps/intake as it ships, and requests to it from this process. */
export async function openPosting({ fresh, redisUrl }: RunContext, connections: number): Promise<Producer> {
  const { token } = await createAccessToken(fresh.database, {
    companyCodes: [COMPANY],
    expiresInMs: TOKEN_LIFETIME_MS,
    mayPublish: true,
  });
  const intake = await startIntakeProcess({ databaseUrl: fresh.url, queueUrl: redisUrl });
  const client = openHttpClient({
    url: new URL('/events', intake.origin),
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    connections,
  });
  let refused = 0;
  return {
    pid: intake.pid,
    send: async (events) => {
      const body = JSON.stringify(events.length === 1 ? events[0] : events);
      for (let { status, text } = await client.post(body); status !== 202; ) {
        if (status !== 500) throw new Error(`the intake answered ${text}`);
        refused += 1;
        await delay(RETRY_MS);
        ({ status, text } = await client.post(body));
      }
    },
    close: async () => {
      if (refused > 0) {
        process.stderr.write(`the intake refused ${refused} requests, which were sent again\n`);
      }
      client.close();
      await intake.stop();
    },
  };
}
