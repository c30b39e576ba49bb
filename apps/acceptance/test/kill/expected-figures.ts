import type pg from 'pg';
import type { Microhours, OperationHistory } from './operation-history.js';

/**
 * The figures of structure versions by their identifiers, each as one text in microhours: operations, then for run,
 * setup and cleanup `count/sum/sum of squares/shortest/longest/average/deviation`.
 */
export type FigureTexts = ReadonlyMap<number, string>;

const KINDS = ['run', 'setup', 'cleanup'] as const;

/**
 * What the figures must be, from the newest states alone: whole microhours, added in unbounded integers, by an
 * arithmetic that has nothing in common with the one under test.
 */
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
  const reported = times.filter((time) => time !== null);
  if (reported.length === 0) return '0/0/0////';
  const count = BigInt(reported.length);
  const sum = reported.reduce((total, time) => total + time, 0n);
  const squares = reported.reduce((total, time) => total + time * time, 0n);
  const sorted = reported.toSorted((one, other) => Number(one - other));
  const average = (2n * sum + count) / (2n * count);
  return [count, sum, squares, sorted[0], sorted.at(-1), average, deviationOf(count, sum, squares)].join('/');
}

/**
 * sqrt(n * squares - sum^2) / n, rounded half up: the largest whole r with r - 1/2 <= sqrt(...) / n, compared without
 * a root.
 */
function deviationOf(count: bigint, sum: bigint, squares: bigint): bigint {
  const radicand = count * squares - sum * sum;
  const isReached = (rounded: bigint) => ((2n * rounded - 1n) * count) ** 2n <= 4n * radicand;
  let low = 0n;
  let high = radicand + 1n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isReached(middle)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/** What the figures of a company's structure versions are; those that are all empty are left out. */
export async function readFigures(pool: pg.Pool, database: string): Promise<FigureTexts> {
  const times = KINDS.map((kind) => {
    const count = kind === 'run' ? 'number_of_completed_operations' : `${kind}_time_count`;
    const [sum, ...derived] = ['sum', 'shortest', 'longest', 'average', 'deviation'].map((figure) => {
      const column = figure === 'sum' ? `${kind}_time_sum` : `${figure}_${kind}_time`;
      return figure === 'sum' ? `trim_scale(${column} * 1000000)` : column;
    });
    const squares = `trim_scale(${kind}_time_sum_of_squares * 1000000000000)`;
    return `concat(${[count, sum, squares, ...derived].join(", '/', ")})`;
  });
  const { rows } = await pool.query<{ version: number; figures: string }>(
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
