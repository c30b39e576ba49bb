import { userInfo } from 'node:os';

/** The user of the operating system, for what is noted of a change; a container may not have a name for it. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
