import { rm } from 'node:fs/promises';
import { readIfPresent, writePrivateFile } from './secret-file.js';

/** How the guardian of a home can be reached, and which processes there are. Kept in `guardian.json`. */
export interface Announcement {
  readonly guardianPid: number;
  readonly postgresPid: number;
  /** Of the guardian on 127.0.0.1; not the server's. */
  readonly port: number;
  /** To be presented by whoever wants something from the guardian. */
  readonly secret: string;
}

/** The announcement in the file, or undefined when there is none or only an unreadable one. */
export async function readAnnouncement(path: string): Promise<Announcement | undefined> {
  const text = await readIfPresent(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isAnnouncement(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export async function writeAnnouncement(path: string, announcement: Announcement): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(announcement)}\n`);
}

/** Removes the file, unless another guardian has announced itself meanwhile. */
export async function withdrawAnnouncement(path: string, secret: string): Promise<void> {
  const current = await readAnnouncement(path);
  if (current?.secret === secret) await rm(path, { force: true });
}

function isAnnouncement(value: unknown): value is Announcement {
  if (typeof value !== 'object' || value === null) return false;
  if (!('guardianPid' in value && 'postgresPid' in value && 'port' in value && 'secret' in value))
    return false;
  const numbers = [value.guardianPid, value.postgresPid, value.port];
  return numbers.every((number) => Number.isInteger(number)) && typeof value.secret === 'string';
}
