import { setTimeout as sleep } from 'node:timers/promises';
import { readAnnouncement } from './announcement.js';
import { connectLease, type GuardianConnection } from './guardian-connection.js';
import type { HomeLayout } from './home-layout.js';
import { errorWithLog } from './server-log.js';
import { spawnGuardian } from './spawn-guardian.js';

export interface ObtainOptions {
  readonly settings: Readonly<Record<string, string>>;
  readonly fixedPort?: number;
  readonly deadlineMs: number;
  /** Ends the attempt early. */
  readonly cancel?: AbortSignal;
}

const RETRY_MS = 50;

/** A lease from the guardian that is there, or from a new one. Rejects at the deadline with the log's last lines. */
export async function obtainLease(layout: HomeLayout, options: ObtainOptions): Promise<GuardianConnection> {
  const deadline = AbortSignal.timeout(options.deadlineMs);
  const giveUp = options.cancel === undefined ? deadline : AbortSignal.any([deadline, options.cancel]);
  while (!giveUp.aborted) {
    const lease = (await leaseFromAnnounced(layout, giveUp)) ?? (await leaseFromNew(layout, options, giveUp));
    if (lease !== undefined) return lease;
    await sleep(RETRY_MS);
  }
  throw await timedOut(layout, options.deadlineMs);
}

async function leaseFromAnnounced(
  layout: HomeLayout,
  giveUp: AbortSignal,
): Promise<GuardianConnection | undefined> {
  const announcement = await readAnnouncement(layout.guardian);
  return announcement && connectLease(announcement, giveUp);
}

async function leaseFromNew(
  layout: HomeLayout,
  { settings, fixedPort, deadlineMs }: ObtainOptions,
  giveUp: AbortSignal,
): Promise<GuardianConnection | undefined> {
  if (giveUp.aborted) return undefined;
  const options = { home: layout.home, settings, ...(fixedPort !== undefined && { fixedPort }) };
  const spawned = await spawnGuardian(options, layout.log, giveUp).catch(async (error: unknown) => {
    throw giveUp.aborted ? await timedOut(layout, deadlineMs) : error;
  });
  try {
    return await leaseFromAnnounced(layout, giveUp);
  } finally {
    spawned.leave();
  }
}

function timedOut(layout: HomeLayout, deadlineMs: number): Promise<Error> {
  return errorWithLog(
    `The embedded PostgreSQL server of ${layout.home} did not accept connections within ${deadlineMs / 1000} s: ` +
      'allow more time (startDeadlineMs), for recovery after a crash can take minutes, or see its log.',
    layout.log,
  );
}
