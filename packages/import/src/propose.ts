import type { ImportedKind } from './fields.js';
import { countRecognised, type Proposal, propose } from './headings.js';
import { atLines, type Layout, readSample } from './layout.js';
import type { TableFile } from './table-file.js';

export interface FileProposal extends Proposal {
  readonly layout: Layout;
}

const ROWS_ABOVE = 30;

/**
 * Proposes a mapping for a file: the headings are in the row with the most known words.
 * @param what what the file holds; undefined if the headings decide
 */
export async function proposeMapping(file: TableFile, what?: ImportedKind): Promise<FileProposal> {
  const rows = await readSample(file);
  const scores = rows.slice(0, ROWS_ABOVE).map(({ cells }) => countRecognised(cells));
  const best = Math.max(0, scores.indexOf(Math.max(...scores)));
  const layout = atLines(file, rows, [rows[best]?.line ?? 1]);
  return { ...propose(layout.headings.filter(Boolean), what), layout };
}
