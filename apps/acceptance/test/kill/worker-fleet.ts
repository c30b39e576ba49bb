import {
  fetchMemoryBytes,
  type Random,
  startWorkerProcess,
  type WorkerProcess,
  type WorkerProcessOptions,
} from '@takt/test-support';

/** Some workers on one queue and one database. */
export interface WorkerFleet {
  readonly workers: readonly WorkerProcess[];
  /** Ends a random worker with kill -9; gives the function that starts another in its place. */
  killOne(random: Random): Promise<() => Promise<void>>;
  /** What all workers, those that are gone included, wrote. */
  outputs(): readonly string[];
  /** Resident memory of the largest worker that runs, in bytes. */
  largestMemory(): Promise<number>;
  /** Ends all workers with SIGTERM; gives their exit codes. */
  stop(): Promise<readonly (number | null)[]>;
  /** Ends what still runs, whatever state it is in. */
  kill(): Promise<void>;
}

export async function startWorkerFleet(size: number, options: WorkerProcessOptions): Promise<WorkerFleet> {
  const all: WorkerProcess[] = [];
  const start = async () => {
    const worker = await startWorkerProcess(options);
    all.push(worker);
    return worker;
  };
  const starts = await Promise.allSettled(Array.from({ length: size }, start));
  const kill = async () => {
    await Promise.all(all.map((worker) => worker.stop('SIGKILL')));
  };
  const failed = starts.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await kill();
    throw failed.reason;
  }
  const workers = [...all];
  return {
    workers,
    killOne: async (random) => {
      const position = random.below(workers.length);
      await workers[position]?.stop('SIGKILL');
      return async () => {
        workers[position] = await start();
      };
    },
    outputs: () => all.map((worker) => worker.output()),
    largestMemory: async () =>
      Math.max(
        ...(await Promise.all(
          workers.map(({ observationUrl }) => fetchMemoryBytes(`${observationUrl}/metrics`)),
        )),
      ),
    stop: () => Promise.all(workers.map((worker) => worker.stop())),
    kill,
  };
}
