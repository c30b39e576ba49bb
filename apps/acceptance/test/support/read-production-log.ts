import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { leaveOut } from '@takt/test-support';
import type { ServedFigures } from './served-figures.js';

/** Beside the checkout: a factory's log is test data, but not part of the product. */
const FOLDER = fileURLToPath(new URL('../../../../../../shared/data/production-log/', import.meta.url));

export interface ProductionLog {
  /** Master data of 274 structure versions, then 1,250 completions, all of company TEM-NO. */
  readonly events: readonly ProductionLogEvent[];
  /** Computed separately in exact decimal arithmetic, by the key of the structure version. */
  readonly expected: Readonly<Record<string, ServedFigures>>;
}

export interface ProductionLogEvent {
  readonly type: string;
  readonly data: { readonly database: string } & Partial<ProductionLogMasterData>;
}

/** Other data in the events about structure versions. */
export interface ProductionLogMasterData {
  readonly productStructureVersionId: number;
  readonly name: string;
  readonly product: { readonly name: string };
  /** Hours as decimal text. */
  readonly plannedProductionTimes: Readonly<Record<'runTime' | 'setupTime' | 'cleanupTime', string | null>>;
}

/** Reads the log; for a `before` hook. Skips the suite with a warning if the log is missing. */
export function readProductionLog(context: Mocha.Context): ProductionLog {
  if (!existsSync(FOLDER)) leaveOut(context, `the production log is not there (${FOLDER})`);
  return {
    events: ['product-structure-versions.ndjson', 'completions.ndjson'].flatMap(readEvents),
    expected: JSON.parse(readFileSync(`${FOLDER}expected.json`, 'utf8')),
  };
}

function readEvents(file: string): ProductionLogEvent[] {
  const lines = readFileSync(`${FOLDER}${file}`, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
