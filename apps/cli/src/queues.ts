import { openQueueView, QUEUE_NAMES, type QueueName, type QueueView } from '@takt/events/view';
import { withDeadline } from '@takt/run/waiting';

export type { JobCounts } from '@takt/events/view';

/** Queries about a queue. They reject if the queue does not answer. */
export type QueueQuestions = Pick<
  QueueView,
  'countCompleted' | 'countJobs' | 'countStuckJobs' | 'isPaused' | 'countWorkers' | 'readOldestWait'
>;

export interface QueuesToAsk extends QueueQuestions {
  readonly names: readonly QueueName[];
  close(): Promise<void>;
}

const ANSWER_DEADLINE_MS = 10_000;

/** Opens both queues for queries. Rejects like openQueueView. */
export async function askQueues(queueUrl: string): Promise<QueuesToAsk> {
  const view = await openQueueView(queueUrl);
  const within =
    <Rest extends readonly unknown[], Answer>(
      what: string,
      ask: (queue: string, ...rest: Rest) => Promise<Answer>,
    ) =>
    (queue: string, ...rest: Rest): Promise<Answer> =>
      // Without a deadline, this would wait for ever for a Redis that does not answer.
      withDeadline(ask(queue, ...rest), ANSWER_DEADLINE_MS, () => {
        throw new Error(`${what} of the queue ${queue} took longer than ${ANSWER_DEADLINE_MS} ms`);
      });
  return {
    names: QUEUE_NAMES,
    countCompleted: within('counting the completed jobs', view.countCompleted),
    countJobs: within('counting the jobs', view.countJobs),
    countStuckJobs: within('counting the stuck jobs', view.countStuckJobs),
    countWorkers: within('counting the workers', view.countWorkers),
    isPaused: within('asking whether it is paused', view.isPaused),
    readOldestWait: within('finding the oldest job', view.readOldestWait),
    close: view.close,
  };
}

/** Returns the number of connected workers; undefined if the store does not report it. */
export function countWorkers(queues: QueueQuestions, queue: string): Promise<number | undefined> {
  return queues.countWorkers(queue).catch(() => undefined);
}
