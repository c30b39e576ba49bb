import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EmbeddedServerError } from './embedded-server-error.js';
import type { GuardianOptions } from './guardian.js';
import { type GuardianNews, isGuardianNews } from './guardian-news.js';
import { errorWithLog, openServerLog } from './server-log.js';

/** A guardian that this process started. */
export interface SpawnedGuardian {
  readonly news: GuardianNews['kind'];
  /** Lets the guardian live by its leases alone. Until then it takes the starter for a holder. */
  leave(): void;
}

/**
 * Starts a guardian that outlives this process if others hold leases. Rejects with its message when it fails, or
 * when `giveUp` is aborted.
 */
export async function spawnGuardian(
  options: GuardianOptions,
  logPath: string,
  giveUp: AbortSignal,
): Promise<SpawnedGuardian> {
  const log = await openServerLog(logPath);
  const program = fileURLToPath(new URL('./guardian-main.js', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor, 'ipc'],
  });
  await log.close();
  const leave = () => {
    if (child.connected) child.disconnect();
    child.unref();
  };
  const news = await new Promise<GuardianNews | undefined>((resolve) => {
    child.on('message', (message) => resolve(isGuardianNews(message) ? message : undefined));
    child.on('error', (error) => resolve({ kind: 'failed', message: error.message }));
    // Unlike the exit, this comes after all messages.
    child.on('disconnect', () => resolve(undefined));
    giveUp.addEventListener('abort', () => resolve(undefined));
    if (giveUp.aborted) resolve(undefined);
  });
  if (news !== undefined && news.kind !== 'failed') return { news: news.kind, leave };
  leave();
  if (news !== undefined) throw new EmbeddedServerError(news.message);
  throw await errorWithLog(
    'The guardian of the embedded PostgreSQL server ended or gave no answer.',
    logPath,
  );
}
