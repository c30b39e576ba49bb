import { type Database, findSchemaProblems } from '@takt/database';
import { CommandError } from '../command-error.js';

/** Throws a CommandError that says what to do where tables or functions are not those of this program. */
export async function assertSchemaIsCurrent(pool: Database['pool']): Promise<void> {
  const [problem] = await findSchemaProblems(pool);
  if (problem !== undefined) throw new CommandError(problem);
}
