import {
  readPeakMemoryMb,
  startWorkerProcess,
  type WorkerProcess,
  type WorkerProcessOptions,
} from '@takt/test-support';

/** Some workers on one queue and one database. */
export interface WorkerFleet {
  readonly workers: readonly WorkerProcess[];
  /** Ends a worker with kill -9; gives the function that starts another in its place. */
  replace(worker: WorkerProcess): Promise<() => Promise<void>>;
  /** What all workers, those that are gone included, wrote. */
  outputs(): readonly string[];
  /** Those of the processes that ended without having been asked to. */
  endedUnasked(): readonly number[];
  /** The most memory that any of the workers has held resident when it was looked at, in MB of 2^20 bytes. */
  peakMemoryMb(): number;
  /** Ends all workers with SIGTERM; gives their exit codes. */
  stop(): Promise<readonly (number | null)[]>;
  /** Ends what still runs, whatever state it is in. */
  kill(): Promise<void>;
}

export async function startWorkerFleet(size: number, options: WorkerProcessOptions): Promise<WorkerFleet> {
  const all: WorkerProcess[] = [];
  const asked = new Set<WorkerProcess>();
  let peakMb = 0;
  const lookAt = (worker: WorkerProcess) => {
    if (worker.runs()) peakMb = Math.max(peakMb, readPeakMemoryMb(worker.pid));
  };
  const end = (worker: WorkerProcess, signal: NodeJS.Signals) => {
    lookAt(worker);
    if (worker.runs()) asked.add(worker);
    return worker.stop(signal);
  };
  const start = async () => {
    const worker = await startWorkerProcess(options);
    all.push(worker);
    return worker;
  };
  const starts = await Promise.allSettled(Array.from({ length: size }, start));
  const kill = async () => {
    await Promise.all(all.map((worker) => end(worker, 'SIGKILL')));
  };
  const failed = starts.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await kill();
    throw failed.reason;
  }
  const workers = [...all];
  return {
    workers,
    replace: async (worker) => {
      await end(worker, 'SIGKILL');
      return async () => {
        workers[workers.indexOf(worker)] = await start();
      };
    },
    outputs: () => all.map((worker) => worker.output()),
    endedUnasked: () => all.filter((worker) => !worker.runs() && !asked.has(worker)).map(({ pid }) => pid),
    peakMemoryMb: () => {
      workers.forEach(lookAt);
      return peakMb;
    },
    stop: () => Promise.all(workers.map((worker) => end(worker, 'SIGTERM'))),
    kill,
  };
}
