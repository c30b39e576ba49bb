import { QUEUE_NAMES, type QueueName } from '@takt/events';
import { openRawStore } from './raw-store.js';

export interface PlainJob {
  readonly queue: QueueName;
  readonly jobId: string;
  /** JSON text, or any text at all. */
  readonly text: string;
  readonly opts?: { readonly removeOnFail?: boolean; readonly attempts?: number };
}

/**
 * A producer that uses BullMQ as it comes and checks nothing, as one in another language may. What JSON.stringify
 * would not write, such as 1e400, is put into the store under BullMQ's feet; no worker may be running then.
 */
export interface PlainClient {
  add(jobs: readonly PlainJob[]): Promise<void>;
  /** Adds in one call, as addBulk does; rejects with what the store says. */
  addValues(queue: QueueName, values: readonly unknown[]): Promise<void>;
  /** Makes a job look as if it had been delivered so often. */
  setDeliveries(queue: QueueName, jobId: string, deliveries: number): Promise<void>;
  close(): Promise<void>;
}

export function openPlainClient(queueUrl: string): PlainClient {
  const store = openRawStore(queueUrl);
  const queues = new Map(QUEUE_NAMES.map((name) => [name, store.openQueue(name)]));
  return {
    add: async (jobs) => {
      for (const [name, queue] of queues) {
        const own = jobs.filter((job) => job.queue === name);
        await queue.addBulk(own.map(toBullmqJob));
        for (const { jobId, text } of own) {
          if (!survives(text)) await store.overwriteData(name, jobId, text);
        }
      }
    },
    addValues: async (name, values) => {
      await queues.get(name)?.addBulk(values.map((data) => ({ name: 'event', data, opts: {} })));
    },
    setDeliveries: store.setDeliveries,
    close: async () => {
      await Promise.all(Array.from(queues.values(), (queue) => queue.close()));
      await store.close();
    },
  };
}

/** BullMQ is given nothing to write where it would not write the text as it stands. */
function toBullmqJob({ jobId, text, opts }: PlainJob) {
  return { name: 'event', data: survives(text) ? JSON.parse(text) : {}, opts: { ...opts, jobId } };
}

/** False where JSON.stringify writes something else than what was read. */
function survives(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}
