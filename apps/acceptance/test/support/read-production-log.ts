import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EventInput } from '@takt/events';
import { leaveOut } from '@takt/test-support';
import type { ServedFigures } from './served-figures.js';

/**
 * Folder of the log. It is outside the checkout, because the log of a factory is test data and no part of the product.
 */
const FOLDER = fileURLToPath(new URL('../../../../../../shared/data/production-log/', import.meta.url));

export interface ProductionLog {
  /** Master data of 274 structure versions, followed by 1,250 completions. All events belong to the company TEM-NO. */
  readonly events: readonly ProductionLogEvent[];
  /**
   * The expected figures by the key of the structure version. They were computed separately, in exact decimal
   * arithmetic.
   */
  readonly expected: Readonly<Record<string, ServedFigures>>;
}

export type ProductionLogEvent = EventInput & { readonly data: Partial<ProductionLogMasterData> };

/** The other fields in the data of events about structure versions. */
export interface ProductionLogMasterData {
  readonly productStructureVersionId: number;
  readonly name: string;
  readonly product: { readonly name: string };
  /** Planned times in hours, as decimal text. */
  readonly plannedProductionTimes: Readonly<Record<'runTime' | 'setupTime' | 'cleanupTime', string | null>>;
}

/** Reads the log in a `before` hook. If the log is missing, skips the suite with a warning. */
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
