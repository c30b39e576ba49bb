import { Worker } from 'node:worker_threads';
import type { DatabaseOptions } from '@takt/database';
import { type Logger, withDeadline } from '@takt/run';
import { ownerOf } from '../rejected/bulk-runs.js';
import { missingDuty, type Person } from '../visit.js';
import type { FromThread, ImportOrder, ImportResult, Phase, RunProblem, ThreadData } from './import-order.js';
import { SEES_PLANS } from './sees-plans.js';

/** One step of an import, or an undo. It runs in a thread, so that the dashboard answers meanwhile. */
export interface ImportRun {
  readonly order: ImportOrder;
  readonly owner: string;
  /** True if the person could read plans: a result may tell of them. */
  readonly seesPlans: boolean;
  phase: Phase;
  /** Bytes, events or jobs, by the phase. */
  done: number;
  /** Undefined if it is not known. */
  total: number | undefined;
  /** Undefined while it runs, and if it failed. */
  result: ImportResult | undefined;
  /** The reason why it failed. */
  problem: RunProblem | undefined;
  /** True until its thread has ended. */
  isRunning: boolean;
  /** Resolves when it has ended. Never rejects. */
  readonly ended: Promise<void>;
}

export interface ImportRuns {
  /**
   * Starts a run. Returns undefined if the person has one that has not ended, if one changes the company, or if too many run.
   */
  begin(person: Person, order: ImportOrder): ImportRun | undefined;
  /** Returns true if the person has a run that has not ended. */
  isBusy(person: Person): boolean;
  /** Asks a run to stop. Everything that it has published is undone. */
  stop(run: ImportRun): void;
  /** Stops all runs. Resolves when they have ended, or after 2 s: an import then stays unfinished, and can be undone. */
  close(): Promise<void>;
}

interface RunsOptions {
  readonly database: DatabaseOptions;
  readonly queueUrl: string;
  readonly maxAheadMs: number;
  readonly logger: Logger;
}

const AT_ONCE = 2;
/** Maximum heap of a thread in MB. Few rows are held at a time, and a limit keeps V8 from letting garbage grow. */
const MAX_HEAP_MB = 96;
const MAX_YOUNG_HEAP_MB = 16;
const CLOSE_DEADLINE_MS = 2_000;

export const seesPlans = (person: Person): boolean => missingDuty(person, [SEES_PLANS]) === undefined;

const isChange = ({ kind }: ImportOrder) => kind === 'import' || kind === 'undo';

/** Opens the runs of imports. */
export function openImportRuns({ logger, ...settings }: RunsOptions): ImportRuns {
  const running = new Map<ImportRun, Worker>();

  function update(run: ImportRun, message: FromThread): void {
    switch (message.kind) {
      case 'progress':
        run.phase = message.phase;
        run.done = message.done;
        run.total = message.total;
        return;
      case 'done':
        run.result = message.result;
        return;
      case 'failed':
        run.problem = message.problem;
        logger.warn({ error: message.error }, 'a run of an import failed');
    }
  }

  /** Resolves when a thread has ended. */
  function watch(worker: Worker, onMessage: (message: FromThread) => void): Promise<void> {
    return new Promise((resolve) => {
      worker.on('message', onMessage);
      worker.on('error', (error: NodeJS.ErrnoException) => {
        const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        const problem = { say: isFull ? 'importTooLarge' : 'importBroken' } as const;
        onMessage({ kind: 'failed', problem, error: error.message });
      });
      worker.on('exit', () => resolve());
    });
  }

  return {
    begin: (person, order) => {
      const owner = ownerOf(person);
      const isInTheWay = (run: ImportRun) =>
        run.owner === owner ||
        (isChange(run.order) && isChange(order) && run.order.company === order.company);
      if ([...running.keys()].some(isInTheWay) || running.size >= AT_ONCE) return undefined;
      const workerData: ThreadData = {
        ...settings,
        order,
        token: person.token,
        by: person.name,
        seesPlans: seesPlans(person),
      };
      const worker = new Worker(new URL('./import-thread.js', import.meta.url), {
        workerData,
        resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB },
      });
      const run: ImportRun = {
        order,
        owner,
        seesPlans: workerData.seesPlans,
        phase: 'waiting',
        done: 0,
        total: undefined,
        result: undefined,
        problem: undefined,
        isRunning: true,
        ended: watch(worker, (message) => update(run, message)),
      };
      running.set(run, worker);
      const about = { pid: person.pid, person: person.name, order: order.kind };
      logger.info(about, 'a run of an import has begun');
      void run.ended.then(() => {
        running.delete(run);
        run.isRunning = false;
        run.problem ??= run.result === undefined ? { say: 'importBroken' } : undefined;
        logger.info({ ...about, problem: run.problem }, 'a run of an import has ended');
      });
      return run;
    },
    isBusy: (person) => [...running.keys()].some(({ owner }) => owner === ownerOf(person)),
    stop: (run) => running.get(run)?.postMessage('stop'),
    close: async () => {
      for (const worker of running.values()) worker.postMessage('stop');
      const ended = Promise.all([...running.keys()].map((run) => run.ended));
      await withDeadline(ended, CLOSE_DEADLINE_MS, () => []);
      await Promise.all([...running.values()].map((worker) => worker.terminate()));
    },
  };
}
