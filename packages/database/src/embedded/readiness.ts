/** Whether the server accepts connections, to be waited for by any number of holders. */
export interface Readiness {
  /** Resolves with the server's port, at once if it is up. */
  untilReady(): Promise<number>;
  up(port: number): void;
  down(): void;
  /** It will never be up. */
  fail(error: unknown): void;
}

/** Begins with the server down. */
export function createReadiness(): Readiness {
  let pending = deferred();
  return {
    untilReady: () => pending.promise,
    up: (port) => pending.resolve(port),
    down() {
      pending = deferred();
    },
    fail: (error) => pending.reject(error),
  };
}

function deferred() {
  let resolve: (port: number) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<number>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // A failure that nobody waits for is told to the starter anyway.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
