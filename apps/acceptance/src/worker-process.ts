import { fileURLToPath } from 'node:url';
import { type ObservedProcess, spawnObserved } from './observed-process.js';
import { waitUntil } from './wait-until.js';

const WORKER = fileURLToPath(new URL('../../../worker/bin/takt-worker.js', import.meta.url));
const START_DEADLINE_MS = 60_000;

export interface WorkerProcessOptions {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  /** Arguments for node itself, such as an --import that switches a deliberate bug on. */
  readonly nodeArguments?: readonly string[];
  /** Where health and metrics are; by default any free port. */
  readonly port?: number;
}

export interface WorkerProcess extends ObservedProcess {
  /** Address of health and metrics. */
  readonly observationUrl: string;
}

/** Starts apps/worker as a process of its own, as an operator would, and waits until it takes events. */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const worker = spawnWorkerProcess(options);
  const port = await whenTakingEvents(worker);
  return { ...worker, observationUrl: `http://127.0.0.1:${port}` };
}

/** Starts apps/worker as a process of its own and does not wait for it. */
export function spawnWorkerProcess(options: WorkerProcessOptions): ObservedProcess {
  return spawnObserved([...(options.nodeArguments ?? []), WORKER], {
    DATABASE_URL: options.databaseUrl,
    QUEUE_URL: options.queueUrl,
    WORKER_PORT: String(options.port ?? 0),
    LOG_LEVEL: 'info',
  });
}

/** Waits until a worker says that it takes events; gives the port of health and metrics. */
export async function whenTakingEvents(worker: ObservedProcess): Promise<number> {
  const findPort = () => /"port":(\d+),"msg":"taking events"/.exec(worker.output())?.[1];
  try {
    await waitUntil('the worker takes events', START_DEADLINE_MS, () => {
      return findPort() !== undefined || !worker.runs();
    });
  } finally {
    if (findPort() === undefined) void worker.stop('SIGKILL');
  }
  const port = findPort();
  if (port === undefined) throw new Error(`the worker did not start:\n${worker.output()}`);
  return Number(port);
}
