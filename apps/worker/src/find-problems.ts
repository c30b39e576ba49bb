import { checkBeforeStart, type Database, findStartupProblems } from '@takt/database';
import { checkQueueDurability } from '@takt/events';
import { type Logger, withDeadline } from '@takt/runtime';

export interface Surroundings {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  /** Go on with a Redis that may lose acknowledged writes. */
  readonly allowVolatileQueue: boolean;
  readonly logger: Logger;
}

/** What keeps the worker from starting; rejects where database or queue cannot be reached. */
export async function findUnfitness(surroundings: Surroundings): Promise<readonly string[]> {
  const { databaseUrl, queueUrl, allowVolatileQueue, logger } = surroundings;
  const problems = await checkBeforeStart(databaseUrl);
  const messages = (await checkQueueDurability(queueUrl)).map(({ message }) => message);
  if (!allowVolatileQueue) return [...problems, ...messages];
  for (const message of messages) logger.warn(message);
  return problems;
}

/** Why a worker that takes events cannot do its work at this moment. */
export async function findProblems(
  { pool }: Database,
  { queueUrl, allowVolatileQueue }: Surroundings,
  deadlineMs: number,
): Promise<readonly string[]> {
  const [ofDatabase, ofQueue] = await Promise.all([
    withDeadline(findStartupProblems(pool), deadlineMs, () => [
      `database: asking the database took longer than ${deadlineMs} ms`,
    ]).catch(toProblem('database')),
    checkQueueDurability(queueUrl, { deadlineMs })
      .then((problems) => (allowVolatileQueue ? [] : problems.map(({ message }) => message)))
      .catch(toProblem('queue')),
  ]);
  return [...ofDatabase, ...ofQueue];
}

function toProblem(what: string): (error: unknown) => readonly string[] {
  return (error) => [`${what}: ${error instanceof Error ? error.message : String(error)}`];
}
