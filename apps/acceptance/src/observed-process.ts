import { spawn } from 'node:child_process';

/** A program that runs beside a test, with what it says. */
export interface ObservedProcess {
  readonly pid: number;
  /** All that it wrote to standard output and standard error. */
  output(): string;
  /** Resolves with the exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
  /** True until the process has ended. */
  runs(): boolean;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

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
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    runs: () => child.exitCode === null && child.signalCode === null,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
