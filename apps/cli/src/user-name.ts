import { userInfo } from 'node:os';

/** Returns the name of the operating system's user, for logs of changes. In a container, the user may have no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
