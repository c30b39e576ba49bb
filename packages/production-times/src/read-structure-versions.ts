import type pg from 'pg';
import type { Figures, ReportedTimes } from './figures.js';
import { readOperationGroups } from './read-operation-groups.js';
import { readStoredFigures } from './read-stored-figures.js';

/** A structure version as ledger and figures know it. */
export interface StructureVersion {
  readonly id: bigint;
  readonly times: ReportedTimes;
  /** Undefined where the figures' row is missing. */
  readonly stored: Figures | undefined;
}

const NOTHING_REPORTED: ReportedTimes = { run: [], setup: [], cleanup: [] };

/**
 * All structure versions of a company that have completed operations, figures or both, by key. To be called inside
 * a transaction whose snapshot stays. Holds a page of rows and the times of one structure version at a time.
 */
export async function* readStructureVersions(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<StructureVersion> {
  const groups = readOperationGroups(connection, companyId);
  const rows = readStoredFigures(connection, companyId);
  let group = await nextOf(groups);
  let row = await nextOf(rows);
  for (;;) {
    const id = lowest(group?.id, row?.id);
    if (id === undefined) return;
    const ofGroup = group?.id === id ? group : undefined;
    const ofRow = row?.id === id ? row : undefined;
    yield { id, times: ofGroup ?? NOTHING_REPORTED, stored: ofRow?.figures };
    if (ofGroup !== undefined) group = await nextOf(groups);
    if (ofRow !== undefined) row = await nextOf(rows);
  }
}

async function nextOf<Item>(items: AsyncGenerator<Item, void>): Promise<Item | undefined> {
  const result = await items.next();
  return result.done === true ? undefined : result.value;
}

function lowest(left: bigint | undefined, right: bigint | undefined): bigint | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? left : right;
}
