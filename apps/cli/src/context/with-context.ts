import { resolveSettings } from '@takt/runtime';
import type { Terminal } from '../terminal.js';
import { type Context, openContext } from './open-context.js';

/** Runs work with a context, which is closed however the work ends. Throws a SettingsError for wrong settings. */
export async function withContext<Result>(
  terminal: Terminal,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const context = openContext(resolveSettings(terminal.environment), terminal);
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}
