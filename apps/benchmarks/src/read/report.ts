import type { MeasuredSize } from './measure-size.js';

export interface Ratio {
  readonly name: string;
  readonly reached: number;
  readonly target: string;
}

/** The ratios that are promised, where the sizes that they need were measured. */
export function computeRatios(sizes: readonly MeasuredSize[], mainRows: number): readonly Ratio[] {
  const of = (rows: number, contestant: string) =>
    sizes.find((size) => size.rows === rows)?.measured.find((one) => one.contestant === contestant);
  const speed = (contestant: string, rows = mainRows) => of(rows, contestant)?.perSecond ?? Number.NaN;
  const p50 = (contestant: string, rows = mainRows) => of(rows, contestant)?.p50Ms ?? Number.NaN;
  const p99 = (contestant: string, rows = mainRows) => of(rows, contestant)?.p99Ms ?? Number.NaN;
  const [smallest, largest] = [sizes[0]?.rows ?? 0, sizes.at(-1)?.rows ?? 0];
  const growth = `p99 at ${largest} rows / at ${smallest}`;
  return [
    {
      name: 'JSON / SQL alone, ordered',
      reached: speed('JSON, ordered') / speed('SQL alone, ordered'),
      target: '>= 0.5',
    },
    {
      name: 'JSON / SQL alone, by range',
      reached: speed('JSON, by range') / speed('SQL alone, by range'),
      target: '>= 0.5',
    },
    {
      name: 'p99 of JSON / of SQL alone, ordered',
      reached: p99('JSON, ordered') / p99('SQL alone, ordered'),
      target: '<= 2',
    },
    {
      name: 'p99 of JSON / of SQL alone, by range',
      reached: p99('JSON, by range') / p99('SQL alone, by range'),
      target: '<= 2',
    },
    { name: 'XML / JSON', reached: speed('XML, ordered') / speed('JSON, ordered'), target: '>= 0.5' },
    { name: 'HTML / JSON', reached: speed('HTML, ordered') / speed('JSON, ordered'), target: '>= 0.3' },
    ...sizes.flatMap(({ rows }) => [
      {
        name: `p50 of last pages / of first pages, ${rows} rows`,
        reached: p50('JSON, last pages', rows) / p50('JSON, first pages', rows),
        target: '<= 1.1',
      },
      {
        name: `p50 of pages before the last / of first pages, ${rows} rows`,
        reached: p50('JSON, pages before the last', rows) / p50('JSON, first pages', rows),
        target: '<= 1.1',
      },
    ]),
    {
      name: `${growth}, ordered`,
      reached: p99('JSON, ordered', largest) / p99('JSON, ordered', smallest),
      target: '<= 1.5',
    },
    {
      name: `${growth}, by range`,
      reached: p99('JSON, by range', largest) / p99('JSON, by range', smallest),
      target: '<= 1.5',
    },
    {
      name: `JSON / live GROUP BY over 100,000 operations of ${smallest} rows`,
      reached: speed('JSON, first pages', smallest) / speed('live GROUP BY, first page', smallest),
      target: '>= 50',
    },
  ];
}

/** The run as tables in Markdown, as they stand in the README. */
export function toMarkdown(sizes: readonly MeasuredSize[], ratios: readonly Ratio[]): string {
  const lines = sizes.flatMap(({ rows, measured }) =>
    measured.map(
      ({ contestant, perSecond, p50Ms, p99Ms, failures }) =>
        `| ${rows} | ${contestant} | ${perSecond.toFixed(0)} | ${p50Ms.toFixed(2)} | ${p99Ms.toFixed(2)} | ${failures} |`,
    ),
  );
  const memory = sizes.map(({ rows, apiPeakMemoryMb }) => `${apiPeakMemoryMb.toFixed(0)} MB at ${rows} rows`);
  return [
    '| rows | contestant | requests/s | p50 ms | p99 ms | past the deadline |',
    '|--:|---|--:|--:|--:|--:|',
    ...lines,
    '',
    '| ratio | reached | target |',
    '|---|--:|--:|',
    ...ratios.map(({ name, reached, target }) => `| ${name} | ${reached.toFixed(2)} | ${target} |`),
    '',
    `Most memory of the API: ${memory.join(', ')}.`,
    '',
  ].join('\n');
}
