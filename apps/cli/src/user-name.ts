import { userInfo } from 'node:os';

/** The user of the operating system, for logs of changes; a container may lack a name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
