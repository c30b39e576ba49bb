import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { EmbeddedServerError } from './embedded-server-error.js';
import type { GuardianOptions } from './guardian.js';
import { type Lease, takeLease } from './leases.js';
import type { HomeLayout } from './open-home.js';
import { pause } from './postmaster.js';
import { findServer, guardianArgument, isGuardian } from './running-server.js';
import { errorWithLog, openServerLog } from './server-log.js';

export interface ObtainOptions extends GuardianOptions {
  readonly deadlineMs: number;
  /** Of the guardian that had the server so far: while it lives, it is the one to start it again. */
  readonly guardianPid?: number;
  /** Ends the attempt early. */
  readonly cancel?: AbortSignal;
}

const RETRY_MS = 50;

/**
 * A lease on the home's server, which is started by a new guardian unless one has it. Rejects with what the guardian
 * says, or at the deadline with the log's last lines.
 */
export async function obtainLease(layout: HomeLayout, options: ObtainOptions): Promise<Lease> {
  const deadline = AbortSignal.timeout(options.deadlineMs);
  const giveUp = options.cancel === undefined ? deadline : AbortSignal.any([deadline, options.cancel]);
  let started: Awaited<ReturnType<typeof startGuardian>> | undefined;
  let lease: Lease | undefined;
  try {
    while (!giveUp.aborted) {
      const server = await findServer(layout.data);
      const guardianPid = server?.guardianPid ?? options.guardianPid;
      const isGuarded = guardianPid !== undefined && (await isGuardian(guardianPid, layout.home));
      if (isGuarded && server?.isReady) lease = await takeLease(layout, server);
      if (lease !== undefined) return lease;
      if (!isGuarded && !started?.isRunning()) started = await startGuardian(layout, options);
      await pause(RETRY_MS, giveUp);
      await started?.rethrow();
    }
  } finally {
    await started?.leave(lease?.server.guardianPid);
  }
  throw await errorWithLog(
    `The embedded PostgreSQL server of ${layout.home} did not accept connections within ` +
      `${options.deadlineMs / 1000} s: allow more time (startDeadlineMs), for recovery after a crash can take ` +
      'minutes, or see its log.',
    layout.log,
  );
}

/** Starts a guardian that outlives this process if others hold leases. */
async function startGuardian(layout: HomeLayout, { settings, fixedPort }: GuardianOptions) {
  const log = await openServerLog(layout.log);
  const program = fileURLToPath(new URL('./guardian-main.js', import.meta.url));
  const options: GuardianOptions = { settings, ...(fixedPort !== undefined && { fixedPort }) };
  const child = spawn(process.execPath, [program, JSON.stringify(options), guardianArgument(layout.home)], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor, 'ipc'],
  });
  await log.close();
  let message: string | undefined;
  let isRunning = true;
  let hasFailed = false;
  const end = (code: number | null) => {
    isRunning = false;
    hasFailed = code !== 0;
  };
  child.on('message', (told) => {
    message = String(told);
  });
  child.on('error', (error) => {
    message = error.message;
    end(1);
  });
  // Unlike the exit, this comes after all messages.
  child.on('close', end);
  return {
    isRunning: () => isRunning,
    /** Rejects if the guardian has failed. */
    async rethrow(): Promise<void> {
      if (!hasFailed) return;
      if (message !== undefined) throw new EmbeddedServerError(message);
      throw await errorWithLog('The guardian of the embedded PostgreSQL server ended unasked.', layout.log);
    },
    /** Lets the guardian live by the leases alone, or has it end if another one has the server. */
    async leave(guardianPidOfServer: number | undefined): Promise<void> {
      const isNeedless = guardianPidOfServer !== undefined && guardianPidOfServer !== child.pid;
      if (isNeedless && isRunning) {
        child.kill();
        await once(child, 'close');
      }
      if (child.connected) child.disconnect();
      child.unref();
    },
  };
}
