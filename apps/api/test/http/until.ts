const DEADLINE_MS = 5_000;

/** Waits until it is so; throws where it does not become so within 5 s. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
