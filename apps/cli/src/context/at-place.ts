import { CommandError, UsageError } from '../command-error.js';
import { describeError } from '../output/describe-error.js';

/** What to look at, by where it went wrong. */
const ADVICE = {
  database: 'check DATABASE_URL and that the server runs',
  queue: 'check QUEUE_URL, or DATABASE_URL where it is not set, and that the server runs',
} as const;

/** Errors by name: to load the package of the queues for their classes takes longer than many a command. */
const WRONG_URL = 'QueueUrlError';
const UNMIGRATED = 'SchemaMigrationRequiredError';

/** Passes on what the first use of a database or queue gives; its errors then say which setting leads there. */
export async function atPlace<Result>(place: keyof typeof ADVICE, use: Promise<Result>): Promise<Result> {
  try {
    return await use;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const kind = error instanceof Error ? error.constructor.name : '';
    if (kind === WRONG_URL) throw new UsageError('QUEUE_URL cannot be read', { cause: error });
    if (kind === UNMIGRATED) {
      throw new CommandError('the database holds no queues yet: run takt migrate', { cause: error });
    }
    const message = `the ${place} cannot be used: ${describeError(error)} (${ADVICE[place]})`;
    throw new CommandError(message, { cause: error });
  }
}
