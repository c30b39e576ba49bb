import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { lookForSecrets } from './shown-secrets.js';

/** A program that runs beside a test, with what it says. */
export interface ObservedProcess {
  readonly pid: number;
  /** All that it wrote to standard output and standard error. */
  output(): string;
  /** Resolves with the exit code, or null after a signal, once all that it wrote is there. */
  readonly ended: Promise<number | null>;
  /** True until the process has ended. */
  runs(): boolean;
  /** Sends the signal, and SIGKILL where that has not ended it within 30 s. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const STOP_DEADLINE_MS = 30_000;
const OUTPUT_DEADLINE_MS = 5_000;

/** Starts node with these arguments and this environment alone. */
export function spawnObserved(
  nodeArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
): ObservedProcess {
  const child = spawn(process.execPath, nodeArguments, {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.once('close', () => lookForSecrets(nodeArguments.join(' '), output));
  // What it wrote last may come after the news of its end; where it left a process behind, that keeps the pipes open.
  const closed = new Promise((resolve) => child.once('close', resolve));
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      void Promise.race([closed, delay(OUTPUT_DEADLINE_MS, undefined, { ref: false })]).then(() =>
        resolve(code),
      );
    }),
  );
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    runs: () => child.exitCode === null && child.signalCode === null,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      const overdue = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
      return ended.finally(() => clearTimeout(overdue));
    },
  };
}

/** The most memory that a process has ever held resident, in MB of 2^20 bytes (Linux). */
export function readPeakMemoryMb(pid: number): number {
  const peakKb = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peakKb) / 1_024;
}

/** Processor time of the main thread of a process, in ms: how busy the machine is hardly moves it (Linux). */
export function readMainThreadMs(pid: number): number {
  return Number(/^\d+/.exec(readFileSync(`/proc/${pid}/schedstat`, 'utf8'))) / 1e6;
}

/** Resident memory of an app in bytes, as its own /metrics tells; NaN where that does not tell. */
export async function fetchMemoryBytes(metricsUrl: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1]);
}

/** Above 10080, which browsers and fetch refuse ("bad port"); below what embedded servers take, and what systems give. */
const LOWEST_PORT = 10_100;
const HIGHEST_PORT = 15_000;
/** Every process has ports of its own: so nobody takes one between the look at it and its use. */
const PROCESSES = 100;
let nextPort = LOWEST_PORT + (process.pid % PROCESSES);

/** A loopback port that nobody listens on. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < (HIGHEST_PORT - LOWEST_PORT) / PROCESSES; attempt += 1) {
    const port = nextPort;
    nextPort = port + PROCESSES < HIGHEST_PORT ? port + PROCESSES : LOWEST_PORT + (port % PROCESSES);
    if (await isFree(port)) return port;
  }
  throw new Error(`this process has no free port between ${LOWEST_PORT} and ${HIGHEST_PORT}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
