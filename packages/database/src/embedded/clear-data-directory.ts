import { setTimeout as sleep } from 'node:timers/promises';
import { type Announcement, readAnnouncement } from './announcement.js';
import { endPostmaster } from './end-postmaster.js';
import { guardianAnswers } from './guardian-connection.js';
import { disarmLock, isPostmasterOf, processRuns, readPostmasterLock } from './postmaster-lock.js';

const POLL_MS = 100;
/** A killed server keeps its process id for up to 2 s. */
const UNRELATED_AFTER_MS = 3_000;
/** Longer than a guardian takes to announce itself after its server's start, or to end its server. */
const LEFT_BEHIND_AFTER_MS = 20_000;

/**
 * To be called when another server holds the data directory: waits for its end, and ends it if nobody guards it
 * any more. False when a living guardian answers, whose server it is.
 */
export async function clearDataDirectory(
  dataDirectory: string,
  announcementPath: string,
  isStopping: () => boolean,
): Promise<boolean> {
  const began = performance.now();
  while (!isStopping()) {
    const announcement = await readAnnouncement(announcementPath);
    if (await isByLivingOther(announcement)) return false;
    const lock = await readPostmasterLock(dataDirectory);
    if (lock === undefined) return true;
    const waitedMs = performance.now() - began;
    const isServer = await isPostmasterOf(lock.pid, dataDirectory);
    if (!isServer && (waitedMs > UNRELATED_AFTER_MS || !(await processRuns(lock.pid)))) {
      await disarmLock(dataDirectory, lock.pid);
      return true;
    }
    if (isServer && (waitedMs > LEFT_BEHIND_AFTER_MS || (await isBereft(lock.pid, announcement)))) {
      await endPostmaster(lock.pid, async () => !(await isPostmasterOf(lock.pid, dataDirectory)));
    }
    await sleep(POLL_MS);
  }
  return true;
}

/** Whether the guardian of this very server is known to be gone. */
async function isBereft(postgresPid: number, announcement: Announcement | undefined): Promise<boolean> {
  return announcement?.postgresPid === postgresPid && !(await processRuns(announcement.guardianPid));
}

async function isByLivingOther(announcement: Announcement | undefined): Promise<boolean> {
  if (announcement === undefined || announcement.guardianPid === process.pid) return false;
  return guardianAnswers(announcement);
}
