import { exactFigures } from '@takt/test-support';
import type { Sql } from 'postgres';
import type { Microhours, OperationHistory } from './operation-history.js';

/**
 * Figures of structure versions by identifier. The figures are one text, in microhours: the number of operations, and
 * then `count/sum/sum of squares/shortest/longest/average/deviation` for each of run, setup and cleanup.
 */
export type FigureTexts = ReadonlyMap<number, string>;

const KINDS = ['run', 'setup', 'cleanup'] as const;

/** Computes the expected figures of a history only from the newest states of its operations. */
export function expectedFigures({ newest }: OperationHistory): FigureTexts {
  const operations = new Map<number, Record<(typeof KINDS)[number], Microhours>[]>();
  for (const { structureVersion, ...times } of newest.values()) {
    if (structureVersion === null) continue;
    const known = operations.get(structureVersion) ?? [];
    known.push(times);
    operations.set(structureVersion, known);
  }
  return new Map(
    Array.from(operations, ([version, all]) => [
      version,
      [all.length, ...KINDS.map((kind) => describeTimes(all.map((times) => times[kind])))].join(' '),
    ]),
  );
}

function describeTimes(times: readonly Microhours[]): string {
  const figures = exactFigures(times.filter((time) => time !== null));
  if (figures === undefined) return '0/0/0////';
  const { count, sum, squares, shortest, longest, average, deviation } = figures;
  return [count, sum, squares, shortest, longest, average, deviation].join('/');
}

/**
 * Returns the stored figures of the structure versions of a company. Leaves out structure versions without operations.
 */
export async function readFigures(sql: Sql, database: string): Promise<FigureTexts> {
  const times = KINDS.map((kind) => {
    const count = kind === 'run' ? 'number_of_completed_operations' : `${kind}_time_count`;
    const [sum, ...derived] = ['sum', 'shortest', 'longest', 'average', 'deviation'].map((figure) => {
      const column = figure === 'sum' ? `${kind}_time_sum` : `${figure}_${kind}_time`;
      return figure === 'sum' ? `trim_scale(${column} * 1000000)` : column;
    });
    const squares = `trim_scale(${kind}_time_sum_of_squares * 1000000000000)`;
    return `concat(${[count, sum, squares, ...derived].join(", '/', ")})`;
  });
  const rows = await sql.unsafe<{ version: number; figures: string }[]>(
    `SELECT product_structure_version_id::float8 AS version,
       concat_ws(' ', number_of_completed_operations, ${times.join(', ')}) AS figures
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id) WHERE code = $1`,
    [database],
  );
  return new Map(
    rows.filter(({ figures }) => figures !== NO_OPERATIONS).map(({ version, figures }) => [version, figures]),
  );
}

const NO_OPERATIONS = '0 0/0/0//// 0/0/0//// 0/0/0////';
