import type { Result } from './contestant.js';

export function toMarkdown(results: readonly Result[]): string {
  return [
    '| contestant | vacuum at | indexes, MB | table, MB | µs an event, of which vacuum | log, bytes an event | a page before vacuum, after |',
    '|---|--:|---|---|--:|--:|--:|',
    ...results.map(
      ({ contestant, before, after, applying, vacuuming, logBytes, blocksBefore, blocksAfter }) =>
        `| ${[
          contestant.name,
          `${contestant.vacuumAt * 100} %`,
          `${megabytes(before.indexBytes)} to ${megabytes(after.indexBytes)}`,
          `${megabytes(before.tableBytes)} to ${megabytes(after.tableBytes)}`,
          `${(applying + vacuuming).toFixed(0)}, ${vacuuming.toFixed(0)}`,
          logBytes.toFixed(0),
          `${blocksBefore.toFixed(0)}, ${blocksAfter.toFixed(0)}`,
        ].join(' | ')} |`,
    ),
    '',
  ].join('\n');
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
