import type { Translations } from '@takt/texts';

/**
 * How people look through a list, beyond what its fields say. Fields are called by the names that `$filter` knows them
 * by: whoever lacks the duty for one is not offered what needs it.
 */
export interface Browsing {
  /** The service opens on it, and its pages lead to it first. */
  readonly isFirst?: true;
  /** What a row is called by; the rows of one name are offered by a click on it. */
  readonly name: string;
  /** What tells rows of one name apart, shown below it, in this order. */
  readonly details: readonly string[];
  /** What is said of a row as a whole, each a column. */
  readonly figures: readonly RowFigure[];
  /** The address of the list without a filter, an order or a search opens on the first that is offered. */
  readonly views: readonly View[];
  readonly filters: readonly QuickFilter[];
  /** The totals of the list in a sentence; absent: the summary of the view stands in its place. */
  readonly totals?: TotalsTexts;
  /** How the figures are to be read, in a sentence or two; absent: as those of comparisons are. */
  readonly figuresHelp?: Translations;
  /** The address that shows chosen rows side by side, by `ids`; absent: none are chosen. */
  readonly comparesAt?: string;
}

/** {0} hours or operations, {1} the number of rows, which is 2 or more. */
export interface TotalsTexts {
  readonly overPlan: Translations;
  readonly underPlan: Translations;
  /** Where nothing is planned, or the reader may not know the plan. */
  readonly completed: Translations;
}

/**
 * How a figure is written. hours: with two decimals; signed hours and percent with their sign, and marked where they are
 * over or under; count: as it is; words: what the key of a domain means.
 */
export type FigureStyle = 'hours' | 'signed hours' | 'percent' | 'count' | 'words';

interface RowFigure {
  readonly field: string;
  /** Short, for a column. */
  readonly heading: Translations;
  readonly as: FigureStyle;
}

/** A filter and an order that have a name. Its address can be kept and given away. */
export interface View {
  /** In the address: `view=setup`. */
  readonly name: string;
  readonly title: Translations;
  /** In one sentence, what the rows are. */
  readonly summary: Translations;
  /** What the rows have in common: a positive value of this field, or the one of its domain that it `is`; undefined: nothing. */
  readonly only?: { readonly field: string; readonly is?: string };
  /** Rows of another value of that field, which the page counts ({0}) and leads to; undefined: none. */
  readonly besides?: { readonly is: string; readonly text: Translations };
  readonly order: { readonly field: string; readonly direction: 'asc' | 'desc' };
  /** The one comparison that is shown in full, by its name; undefined: all of them in short. */
  readonly comparison?: string;
}

/**
 * A condition that is chosen without writing it. positive: the value is above zero; minimum: it is at least a number;
 * choice: it is one of its domain; same: it is that of a row, whose value is clicked on.
 */
export interface QuickFilter {
  readonly kind: 'positive' | 'minimum' | 'choice' | 'same';
  readonly field: string;
  readonly title: Translations;
}
