import type { Terminal } from './terminal.js';

export interface Progress {
  /** Tells how much is done, in the unit of the total, which may be known from now on. */
  update(done: number, newTotal?: number): void;
  /** Says a line on standard error without the bar in it. */
  say(line: string): void;
  stop(): void;
}

const REDRAW_MS = 100;
const BAR_CELLS = 30;
/** Back to the begin of the line, and nothing more in it. */
const CLEAR_LINE = '\r\u001b[K';

/**
 * A progress bar on standard error, gone again when it is stopped; without a total a number that grows. Nothing
 * where standard error is no terminal.
 */
export function startProgress(terminal: Terminal, what: string, knownTotal?: number): Progress {
  const columns = terminal.progressColumns;
  if (columns === undefined) return { update: () => undefined, say: terminal.say, stop: () => undefined };
  let [done, total] = [0, knownTotal];
  let drawnAt = 0;
  const clear = () => terminal.errors.write(CLEAR_LINE);
  const draw = () => {
    drawnAt = performance.now();
    const state = total === undefined || total <= 0 ? ` ${done}` : ` ${barOf(done / total)}`;
    // A line that reaches the edge is broken, and then it cannot be cleared.
    const room = Math.max(0, columns - 1 - state.length);
    terminal.errors.write(`${CLEAR_LINE}${what.slice(0, room)}${state.slice(0, columns - 1)}`);
  };
  draw();
  return {
    update: (now, newTotal = total) => {
      [done, total] = [now, newTotal];
      if (performance.now() - drawnAt >= REDRAW_MS) draw();
    },
    say: (line) => {
      clear();
      terminal.say(line);
      draw();
    },
    stop: clear,
  };
}

function barOf(share: number): string {
  const part = Math.min(Math.max(share, 0), 1);
  const filled = Math.round(part * BAR_CELLS);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)} ${Math.floor(part * 100)} %`;
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
