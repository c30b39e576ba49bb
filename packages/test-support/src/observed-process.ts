import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { lookForSecrets } from './shown-secrets.js';

/** A program that runs beside a test and whose output is collected. */
export interface ObservedProcess {
  readonly pid: number;
  /** Returns everything that the program has written to standard output and standard error. */
  output(): string;
  /** Resolves once all output has arrived, with the exit code, or with null if a signal ended the process. */
  readonly ended: Promise<number | null>;
  /** Returns true until the process has ended. */
  runs(): boolean;
  /** Sends the signal. If the process has not ended within 30 s, sends SIGKILL. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const STOP_DEADLINE_MS = 30_000;
const OUTPUT_DEADLINE_MS = 5_000;

/** Starts node with only these arguments and only this environment. */
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
  // The last output may arrive after the exit event. It is awaited only briefly, because waiting for all pipes to close
  // would also wait for a process that the program left behind.
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

/** Returns the peak resident memory of a process, in MB of 2^20 bytes (Linux). */
export function readPeakMemoryMb(pid: number): number {
  const peakKb = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peakKb) / 1_024;
}

/** Returns the CPU time of the main thread of a process, in ms (Linux). It hardly depends on other load. */
export function readMainThreadMs(pid: number): number {
  return Number(/^\d+/.exec(readFileSync(`/proc/${pid}/schedstat`, 'utf8'))) / 1e6;
}

/** Returns the time in ms for which the main thread of a process was ready to run but had no processor (Linux). */
export function readRunDelayMs(pid: number): number {
  return Number(/^\d+ (\d+)/.exec(readFileSync(`/proc/${pid}/schedstat`, 'utf8'))?.[1]) / 1e6;
}

/** Returns the resident memory of an app in bytes, as its /metrics shows it; NaN if /metrics does not contain it. */
export async function fetchMemoryBytes(metricsUrl: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1]);
}

/**
 * Lowest port that is used. It is above 10080, the highest port that browsers and fetch refuse ("bad port"), and below
 * the ports of embedded servers and the ephemeral ports.
 */
const LOWEST_PORT = 10_100;
const HIGHEST_PORT = 15_000;
/**
 * Number of processes that have a range of ports of their own. So no other process takes a port between the check that
 * it is free and its use.
 */
const PROCESSES = 100;
let nextPort = LOWEST_PORT + (process.pid % PROCESSES);

/** Returns a loopback port on which nothing listens. */
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
