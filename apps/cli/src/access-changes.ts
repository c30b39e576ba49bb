import {
  BeyondLimitsError,
  EmailError,
  type NameKind,
  PasswordError,
  PidTakenError,
  RedirectUriError,
  UnknownNamesError,
} from '@takt/access/administration';
import type { Database } from '@takt/database';
import { withContext } from './context.js';
import { CommandError, UsageError } from './errors.js';
import type { Terminal } from './terminal.js';

/** For each kind of thing that may be missing, the command that creates it. */
const ADVICE: Readonly<Partial<Record<NameKind, string>>> = {
  company: ': takt company add registers one',
  client: ': takt client add registers one',
  person: ': takt user add registers one',
};

/** Awaits a change of clients, people or tokens, and turns an error of the change into an error of the command. */
export async function explainErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnknownNamesError) {
      throw new CommandError(`${error.message}${ADVICE[error.kind] ?? ''}`);
    }
    if (error instanceof BeyondLimitsError || error instanceof PidTakenError || error instanceof EmailError) {
      throw new CommandError(error.message);
    }
    if (error instanceof PasswordError || error instanceof RedirectUriError) {
      throw new UsageError(error.message);
    }
    throw error;
  }
}

/** Runs a function that changes clients or people in the database, and prints its result. */
export async function onDatabase(
  terminal: Terminal,
  work: (database: Database) => Promise<string>,
): Promise<void> {
  await withContext(terminal, async (context) => {
    await terminal.print(await explainErrors(work(await context.openDatabase())));
  });
}

export function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}
