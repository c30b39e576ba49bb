import { waitUntil } from '@takt/test-support';

/** Waits until it is so; throws where it does not become so within 5 s. */
export function until(isSo: () => boolean): Promise<void> {
  return waitUntil(String(isSo), isSo, 5_000, 5);
}
