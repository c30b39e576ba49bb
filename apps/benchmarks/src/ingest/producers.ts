import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken } from '@takt/access';
import { startApp } from '@takt/database/testing';
import { type EventInput, openPublisher } from '@takt/events';
import { openConnection, type RawConnection, request } from '@takt/test-support';
import type { RunContext } from './measure.js';
import { COMPANY } from './servers.js';

/** Adds events to the queue while the worker works. */
export interface Producer {
  /** Process id of the intake, if the events go through the intake. */
  readonly intakePid?: number;
  /** Sends events. Resolves once the queue has stored the events. */
  readonly send: (events: readonly EventInput[]) => Promise<void>;
}

/** Returns the number of concurrent calls or requests. */
export const concurrencyOf = (eventsPerCall: number) => (eventsPerCall === 1 ? 50 : 4);

/** Opens the publisher in this process. Each job has `eventsPerJob` events. */
export async function openPublishing(
  { redisUrl, defer }: RunContext,
  eventsPerJob: number,
): Promise<Producer> {
  const publisher = await openPublisher(redisUrl);
  defer(publisher.close);
  return {
    send: async (events) => {
      await publisher.publish(events, { batchSize: eventsPerJob });
    },
  };
}

const TOKEN_LIFETIME_MS = 3_600_000;
/** Delay before a refused request is repeated. A real client would wait as long as Retry-After says. */
const RETRY_MS = 100;

/**
 * Sends requests to apps/intake over keep-alive connections, with one request at a time on each. The client shares the
 * machine with the contestant, so it uses the raw connections of the test support: they take less CPU time than an HTTP
 * client.
 */
export async function openPosting(
  { fresh, redisUrl, defer }: RunContext,
  eventsPerRequest: number,
): Promise<Producer> {
  const { token } = await createAccessToken(fresh.database, {
    companyCodes: [COMPANY],
    expiresInMs: TOKEN_LIFETIME_MS,
    mayPublish: true,
  });
  const intake = await startApp('intake', { databaseUrl: fresh.url, queueUrl: redisUrl });
  defer(() => intake.stop());
  const connections = Array.from({ length: concurrencyOf(eventsPerRequest) }, () =>
    openConnection(Number(new URL(intake.origin).port)),
  );
  const free = await Promise.all(connections);
  for (const { socket } of free) socket.setNoDelay(true);
  defer(async () => {
    for (const connection of free) connection.destroy();
  });
  const waiting: ((connection: RawConnection) => void)[] = [];
  const post = async (events: readonly EventInput[]) => {
    const body = JSON.stringify(events.length === 1 ? events[0] : events);
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    };
    const message = request('/events', headers, 'POST') + body;
    const connection = free.shift() ?? (await new Promise<RawConnection>((resolve) => waiting.push(resolve)));
    for (let isStored = false; !isStored; ) {
      connection.send(message);
      const answer = await connection.answer();
      isStored = answer.status === 202;
      if (!isStored && answer.status !== 500) throw new Error(`the intake answered ${answer.body}`);
      if (!isStored) await delay(RETRY_MS);
    }
    const next = waiting.shift() ?? ((unused: RawConnection) => free.push(unused));
    next(connection);
  };
  return {
    intakePid: intake.pid,
    send: async (events) => {
      const requests: Promise<void>[] = [];
      for (let start = 0; start < events.length; start += eventsPerRequest) {
        requests.push(post(events.slice(start, start + eventsPerRequest)));
      }
      await Promise.all(requests);
    },
  };
}
