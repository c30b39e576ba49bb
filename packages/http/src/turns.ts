const TURN_MS = 10;
const SHORT_TURN_MS = 0.3;

/**
 * Shares the event loop: what requests do at once is done one after the other, and others get a turn in between. The event
 * loop takes one new connection a turn, so turns are short while there are new ones: a probe would else wait behind all who
 * came before it. Without this, 600 connections that ask without a pause delayed a new one by 8 s.
 */
export class Turns {
  readonly #tasks: (() => void)[] = [];
  #shortTurns = 0;
  #isRunning = false;

  /** To be called with every new connection. */
  accept(): void {
    this.#shortTurns = 2;
  }

  /** Calls it in its turn. It must not throw. */
  add(task: () => void): void {
    this.#tasks.push(task);
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    const isShort = this.#shortTurns > 0;
    if (isShort) this.#shortTurns -= 1;
    const endsAtMs = performance.now() + (isShort ? SHORT_TURN_MS : TURN_MS);
    // At the end: a turn gets something done, however late it began.
    do {
      this.#tasks.shift()?.();
      // Lets follow what the task goes on with, so that it counts too.
      await undefined;
    } while (this.#tasks.length > 0 && performance.now() < endsAtMs);
    this.#isRunning = this.#tasks.length > 0;
    if (this.#isRunning) setImmediate(() => void this.#run());
  }
}
