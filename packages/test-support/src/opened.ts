/** A resource that a suite opens and closes. */
interface Closeable {
  close(): Promise<void>;
}

/**
 * Opens a resource before the tests of a `describe` and closes it after them. The result is usable only in later hooks
 * and tests: do not destructure it in the body of the `describe`.
 */
export function opened<Opened extends Closeable>(open: () => Promise<Opened>): Opened {
  return fill(open, before, after);
}

/** The same, but opens the resource again for each test. */
export function openedForEach<Opened extends Closeable>(open: () => Promise<Opened>): Opened {
  return fill(open, beforeEach, afterEach);
}

function fill<Opened extends Closeable>(
  open: () => Promise<Opened>,
  begin: Mocha.HookFunction,
  end: Mocha.HookFunction,
): Opened {
  const filled: Partial<Opened> = {};
  begin('open', async () => {
    Object.assign(filled, await open());
  });
  end('close', async () => await filled.close?.());
  return filled as Opened;
}
