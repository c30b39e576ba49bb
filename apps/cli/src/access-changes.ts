import {
  BeyondLimitsError,
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

/** Commands that create the kinds of things that may be missing. */
const ADVICE: Readonly<Partial<Record<NameKind, string>>> = {
  company: ': takt company add registers one',
  client: ': takt client add registers one',
  person: ': takt user add registers one',
};

/** Awaits a change of clients, people or tokens; turns its errors into errors of the command. */
export async function explainErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnknownNamesError) {
      throw new CommandError(`${error.message}${ADVICE[error.kind] ?? ''}`);
    }
    if (error instanceof BeyondLimitsError || error instanceof PidTakenError) {
      throw new CommandError(error.message);
    }
    if (error instanceof PasswordError || error instanceof RedirectUriError) {
      throw new UsageError(error.message);
    }
    throw error;
  }
}

/** Runs a change of clients or people and prints its result. */
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
