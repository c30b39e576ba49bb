/** What a suite opens and has to close. */
interface Closeable {
  close(): Promise<void>;
}

/**
 * To be called in a `describe`: opened before its tests and closed after them. What is opened is only there from the hooks
 * that follow on: nothing of it may be taken apart in the body of the `describe`.
 */
export function opened<Opened extends Closeable>(open: () => Promise<Opened>): Opened {
  return fill(open, before, after);
}

/** The same, anew for each test. */
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
