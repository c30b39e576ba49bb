import { promisify } from 'node:util';

const TURN_MS = 10;
const SHORT_TURN_MS = 0.3;

const nextTick = promisify(process.nextTick);

/**
 * Shares the event loop between concurrent requests: their tasks run one after the other, and other work gets a turn in
 * between. The event loop accepts one new connection per turn. So turns are short while there are new connections;
 * otherwise a probe would wait behind all earlier requests. Without this class, 600 connections that send requests
 * without a pause delayed a new connection by 8 s.
 */
export class TimeSlices {
  readonly #tasks: (() => void)[] = [];
  readonly #readings: (() => void)[] = [];
  #shortTurns = 0;
  #isRunning = false;

  /** Must be called for each new connection. */
  accept(): void {
    this.#shortTurns = 2;
  }

  /** Runs a task when its turn comes. The task must not throw. */
  add(task: () => void): void {
    this.#tasks.push(task);
    this.#begin();
  }

  /**
   * Runs a reading task when its turn comes, after the tasks of the requests that are present. At least one reading
   * task runs in each round of the event loop.
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
    // One task of each kind runs even if the turn started late. More tasks run while there is time.
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
    // This lets the promises of the task run, so that their time counts too.
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
