import type { Terminal } from './terminal.js';

export interface Progress {
  /** Sets the progress in the unit of the total. If the total was not known before, it can be set too. */
  update(done: number, newTotal?: number): void;
  /** Prints a line on standard error above the bar. */
  say(line: string): void;
  stop(): void;
}

const REDRAW_MS = 100;
const BAR_CELLS = 30;
/** Returns the cursor to the start of the line and clears the line. */
const CLEAR_LINE = '\r\u001b[K';

/**
 * Shows a progress bar on standard error until the bar is stopped. If there is no total, shows a counter. Does nothing
 * if standard error is not a terminal.
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
    // A line that reaches the edge would wrap, and CLEAR_LINE would clear only the last part of it.
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

/** Runs work while a progress bar is shown. */
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
