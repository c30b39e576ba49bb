import { promisify } from 'node:util';

const TURN_MS = 10;
const SHORT_TURN_MS = 0.3;

const nextTick = promisify(process.nextTick);

/**
 * Shares the event loop: tasks of concurrent requests run one after the other, and others get a turn in between. The
 * event loop accepts one new connection per turn, so turns are short while there are new ones; otherwise a probe would
 * wait behind all earlier requests. Without this, 600 connections that send requests without a pause delayed a new one
 * by 8 s.
 */
export class TimeSlices {
  readonly #tasks: (() => void)[] = [];
  readonly #readings: (() => void)[] = [];
  #shortTurns = 0;
  #isRunning = false;

  /** Call it for each new connection. */
  accept(): void {
    this.#shortTurns = 2;
  }

  /** Runs a task in its turn. It must not throw. */
  add(task: () => void): void {
    this.#tasks.push(task);
    this.#begin();
  }

  /**
   * Runs a reading task in its turn, after the tasks of present requests. At least one reading task runs in each round
   * of the event loop.
   */
  addReading(task: () => void): void {
    this.#readings.push(task);
    this.#begin();
  }

  #begin(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    const isShort = this.#shortTurns > 0;
    if (isShort) this.#shortTurns -= 1;
    const endsAtMs = performance.now() + (isShort ? SHORT_TURN_MS : TURN_MS);
    // Run one task of each kind, even if the turn started late; then more while there is time.
    await this.#answer();
    await this.#read();
    while (performance.now() < endsAtMs && this.#tasks.length + this.#readings.length > 0) {
      await (this.#tasks.length > 0 ? this.#answer() : this.#read());
    }
    this.#isRunning = this.#tasks.length > 0 || this.#readings.length > 0;
    if (this.#isRunning) setImmediate(() => void this.#run());
  }

  async #answer(): Promise<void> {
    this.#tasks.shift()?.();
    // Let the task's promises run, so that their time counts too.
    await undefined;
  }

  async #read(): Promise<void> {
    const task = this.#readings.shift();
    if (task === undefined) return;
    task();
    // The socket continues to read in the next tick.
    await nextTick();
  }
}
