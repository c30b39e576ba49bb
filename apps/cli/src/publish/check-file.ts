import { CommandError } from '../command-error.js';
import { printable } from '../output/printable.js';
import { type Progress, withProgress } from '../output/progress.js';
import type { Terminal } from '../terminal.js';
import { checkLine } from './check-line.js';
import type { EventSource } from './event-source.js';
import { readLines } from './read-lines.js';

export interface FileCheck {
  readonly lines: number;
  readonly invalidLines: number;
}

/** To tell of more lines helps nobody. */
const MAX_LINES_REPORTED = 1_000;

/**
 * Checks every line of a file and reports the invalid ones as FILE:LINE: problems, in the order of the file. Throws
 * a CommandError where the file cannot be read to its end.
 */
export async function checkFile(source: EventSource, terminal: Terminal): Promise<FileCheck> {
  let lines = 0;
  let invalidLines = 0;
  const report = (number: number, problems: string, progress: Progress) => {
    invalidLines += 1;
    if (invalidLines > MAX_LINES_REPORTED) return;
    progress.say(`${source.name}:${number}: ${printable(problems)}`);
  };
  await withProgress(terminal, `checking ${source.name}`, source.sizeBytes, async (progress) => {
    try {
      for await (const some of readLines(source.read(progress.update))) {
        for (const line of some) {
          const checked = checkLine(line);
          if (checked.kind === 'invalid') report(line.number, checked.problems, progress);
        }
        lines = some.at(-1)?.number ?? lines;
      }
    } catch (error) {
      throw new CommandError(`${source.name} cannot be read after line ${lines}`, { cause: error });
    }
  });
  if (invalidLines > MAX_LINES_REPORTED) {
    terminal.say(`${source.name}: ${invalidLines - MAX_LINES_REPORTED} more invalid lines`);
  }
  return { lines, invalidLines };
}
