import type { WriteValue } from './write-value.js';

/** One column of a table: what its heading and its cells hold, as HTML. */
export interface Column {
  /** Columns beside each other with the same group stand under its heading; undefined: under none. */
  readonly group: ColumnGroup | undefined;
  readonly heading: string;
  /** Whether the rows are in the order of this column. */
  readonly sorted: 'ascending' | 'descending' | undefined;
  readonly align: 'start' | 'end';
  readonly write: WriteValue;
}

/** Compared by identity. */
export interface ColumnGroup {
  readonly heading: string;
}
