import { SingleBar } from 'cli-progress';
import type { Terminal } from '../terminal.js';

export interface Progress {
  /** What is done so far, in the unit of the total. */
  update(done: number): void;
  /** Says a line on standard error without the bar in it. */
  say(line: string): void;
  stop(): void;
}

/**
 * A progress bar on standard error, gone again when it is stopped; without a total a number that grows. Nothing
 * where standard error is no terminal.
 */
export function startProgress(terminal: Terminal, what: string, total?: number): Progress {
  if (!terminal.showsProgress) {
    return { update: () => undefined, say: terminal.say, stop: () => undefined };
  }
  const known = total !== undefined && total > 0;
  const bar = new SingleBar({
    stream: terminal.errors,
    format: known ? `${what} {bar} {percentage} %` : `${what} {value}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    // A process that is interrupted would leave the terminal without its cursor or line breaks.
    hideCursor: false,
    linewrap: true,
  });
  let latest = 0;
  const start = () => bar.start(known ? total : Number.MAX_SAFE_INTEGER, latest);
  start();
  return {
    update: (done) => {
      latest = known ? Math.min(done, total) : done;
      bar.update(latest);
    },
    say: (line) => {
      // The bar returns to where it began when it stops, and would clear what was said below.
      bar.stop();
      terminal.say(line);
      start();
    },
    stop: () => bar.stop(),
  };
}

/** Runs work under a progress bar, which goes away however the work ends. */
export async function withProgress<Result>(
  terminal: Terminal,
  what: string,
  total: number | undefined,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = startProgress(terminal, what, total);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}
