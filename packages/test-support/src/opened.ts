/** A resource that a suite opens and closes. */
interface Closeable {
  close(): Promise<void>;
}

/**
 * Opens a resource before the tests of a `describe` and closes it after them. The result can be used only in later
 * hooks and tests, so do not destructure it in the body of the `describe`.
 */
export function opened<Opened extends Closeable>(open: () => Promise<Opened>): Opened {
  return fill(open, before, after);
}

/** Opens a resource before each test and closes it after the test. Otherwise it works like `opened`. */
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
