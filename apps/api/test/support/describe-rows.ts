import type { FilteredList } from './filter-arbitrary.js';
import type { ModelRow } from './model-filter.js';

/**
 * Returns the fields of the rows, with separate entries for numbers and texts. Each field has its values as literals
 * for filters.
 */
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

/** Writes a scaled number as a client would write it. */
function written(value: bigint): string {
  if (value < 0n) return `-${written(-value)}`;
  const digits = String(value).padStart(SCALE + 1, '0');
  return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '');
}
