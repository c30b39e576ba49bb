import {
  BeyondLimitsError,
  type NameKind,
  PasswordError,
  PidTakenError,
  RedirectUriError,
  UnknownNamesError,
} from '@takt/access/administration';
import { CommandError, UsageError } from './errors.js';

/** What makes one of a kind that can be missing. */
const ADVICE: Readonly<Partial<Record<NameKind, string>>> = {
  company: ': takt company add registers one',
  client: ': takt client add registers one',
  person: ': takt user add registers one',
};

/** Passes on what a change of clients, people or tokens gives; its errors become those of a command. */
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
