import type pg from 'pg';
import { leavesOfJson, leavesOfXml } from './document.js';

/** Hours with 6 decimals as text, or null if no value was reported. */
export interface ServedTimes {
  readonly average: string | null;
  readonly shortest: string | null;
  readonly longest: string | null;
  readonly deviation: string | null;
}

export interface ServedFigures {
  readonly numberOfCompletedProductionWorkOrders: number;
  readonly run: ServedTimes;
  readonly setup: ServedTimes;
  readonly cleanup: ServedTimes;
}

const TIMES = ['run', 'setup', 'cleanup'].map(
  (time) => `'${time}', json_build_object(
    'average', (average_${time}_time * 0.000001)::text, 'shortest', (shortest_${time}_time * 0.000001)::text,
    'longest', (longest_${time}_time * 0.000001)::text, 'deviation', (deviation_${time}_time * 0.000001)::text)`,
);

/** Returns all stored figures of a company by the key of the structure version. */
export async function readServedFigures(
  pool: pg.Pool,
  companyCode: string,
): Promise<Readonly<Record<string, ServedFigures>>> {
  const { rows } = await pool.query<{ id: string; figures: ServedFigures }>(
    `SELECT product_structure_version_id AS id, json_build_object(
       'numberOfCompletedProductionWorkOrders', number_of_completed_operations, ${TIMES.join(', ')}) AS figures
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id) WHERE code = $1`,
    [companyCode],
  );
  return Object.fromEntries(rows.map(({ id, figures }) => [id, figures]));
}

const ITEM = /^\/productStructureVersionAggregatedProductionTimes\/(\d+)\/(.*)$/;

/**
 * Returns the figures in a document by the identifier of the structure version. Decimals are written as in the
 * document.
 */
export function servedFiguresOf(
  format: 'json' | 'jsonstream' | 'xml',
  text: string,
): ReadonlyMap<string, ServedFigures> {
  // Converts the numbers to text before JSON.parse, because JSON.parse could round them.
  const leaves =
    format === 'xml'
      ? leavesOfXml(text)
      : leavesOfJson(JSON.parse(text.replace(/:(-?\d[\d.eE+-]*)(?=[,}])/g, ':"$1"')));
  const items = new Map<string, Map<string, string | null>>();
  for (const [path, value] of leaves) {
    const [, index, field] = ITEM.exec(path) ?? [];
    if (index === undefined || field === undefined) continue;
    const item = items.get(index) ?? new Map<string, string | null>();
    items.set(index, item.set(field, value));
  }
  return new Map(
    Array.from(items.values(), (item) => [String(servedValue(item, IDENTIFIER)), toFigures(item)]),
  );
}

const IDENTIFIER = 'productStructureVersion/productStructureVersionId';

function servedValue(item: ReadonlyMap<string, string | null>, field: string): string | null {
  const value = item.get(field);
  if (value === undefined) throw new Error(`${field} is not served`);
  return value;
}

function toFigures(item: ReadonlyMap<string, string | null>): ServedFigures {
  const timesOf = (group: string, kind: string) => {
    const of = (figure: string) =>
      servedValue(item, `aggregatedProductionTimes/${group}/${figure}${kind}Time`);
    return {
      average: of('average'),
      shortest: of('shortest'),
      longest: of('longest'),
      deviation: of('deviation'),
    };
  };
  return {
    numberOfCompletedProductionWorkOrders: Number(
      servedValue(item, 'aggregatedProductionTimes/numberOfCompletedProductionWorkOrders'),
    ),
    run: timesOf('processing', 'Run'),
    setup: timesOf('changeover/setup', 'Setup'),
    cleanup: timesOf('changeover/cleanup', 'Cleanup'),
  };
}

/** Removes trailing zeros from the decimals, as the API does. */
export function plain({
  numberOfCompletedProductionWorkOrders,
  run,
  setup,
  cleanup,
}: ServedFigures): ServedFigures {
  const trim = (hours: string | null) =>
    hours?.includes('.') === true ? hours.replace(/\.?0+$/, '') : hours;
  const trimAll = ({ average, shortest, longest, deviation }: ServedFigures['run']) => ({
    average: trim(average),
    shortest: trim(shortest),
    longest: trim(longest),
    deviation: trim(deviation),
  });
  return {
    numberOfCompletedProductionWorkOrders,
    run: trimAll(run),
    setup: trimAll(setup),
    cleanup: trimAll(cleanup),
  };
}

export function figureTexts(figures: ServedFigures): readonly string[] {
  const times = [figures.run, figures.setup, figures.cleanup].flatMap((kind) => Object.values(kind));
  const texts = times.filter((text) => text !== null);
  return [String(figures.numberOfCompletedProductionWorkOrders), ...texts];
}
