import type { FilteredList } from './filter-arbitrary.js';
import type { ModelRow } from './model-filter.js';

/** The fields of the rows by type, each with its values as literals. */
export function describeRows(rows: readonly ModelRow[]): FilteredList {
  const numbers: Record<string, string[]> = {};
  const texts: Record<string, string[]> = {};
  const add = (lists: Record<string, string[]>, name: string, literal: string) => {
    lists[name] = [...(lists[name] ?? []), literal];
  };
  for (const [name, value] of rows.flatMap(({ values }) => Object.entries(values))) {
    if (typeof value === 'bigint') add(numbers, name, written(value));
    if (typeof value === 'string') add(texts, name, value);
  }
  return { numbers, texts };
}

const SCALE = 20;

/** A scaled number in the form that clients use. */
function written(value: bigint): string {
  if (value < 0n) return `-${written(-value)}`;
  const digits = String(value).padStart(SCALE + 1, '0');
  return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '');
}
