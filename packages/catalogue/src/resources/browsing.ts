import type { Translations } from '@takt/texts';

/**
 * Presentation of a list to people, beyond its fields. Fields have their `$filter` names; anything that needs a hidden
 * field is left out.
 */
export interface Browsing {
  /** The service's start page is this list. */
  readonly isFirst?: true;
  /** The field with the name of a row; a click on it filters by that name. */
  readonly name: string;
  /** Fields that distinguish rows of one name, shown below it in this order. */
  readonly details: readonly string[];
  /** Columns about a row as a whole. */
  readonly figures: readonly RowFigure[];
  /** Views in order. The bare address of the list opens the first available one. */
  readonly views: readonly View[];
  readonly filters: readonly QuickFilter[];
  /** A sentence with the totals of the list; absent: the summary of the view is shown. */
  readonly totals?: TotalsTexts;
  /** Explains the figures in a sentence or two; absent: the text for comparisons. */
  readonly figuresHelp?: Translations;
  /** The address that compares chosen rows by `ids`; absent: rows cannot be chosen. */
  readonly comparesAt?: string;
}

/** {0} hours or operations, {1} the number of rows, at least 2. */
export interface TotalsTexts {
  readonly overPlan: Translations;
  readonly underPlan: Translations;
  /** Used if nothing is planned or the reader may not see plans. */
  readonly completed: Translations;
}

/**
 * The format of a figure. hours: two decimals; signed hours and percent: with sign, marked as over or under; count:
 * plain; words: the meaning of a domain's key.
 */
export type FigureStyle = 'hours' | 'signed hours' | 'percent' | 'count' | 'words';

interface RowFigure {
  readonly field: string;
  /** Short, for a column. */
  readonly heading: Translations;
  readonly as: FigureStyle;
}

/** A named filter and order with an address of its own. */
export interface View {
  /** In the address: `view=setup`. */
  readonly name: string;
  readonly title: Translations;
  /** Describes the rows in one sentence. */
  readonly summary: Translations;
  /** The filter: a positive value of the field, or the value `is` of its domain; undefined: none. */
  readonly only?: { readonly field: string; readonly is?: string };
  /** Another value of that field, whose rows the page counts ({0}) and links to; undefined: none. */
  readonly besides?: { readonly is: string; readonly text: Translations };
  readonly order: { readonly field: string; readonly direction: 'asc' | 'desc' };
  /** The comparison that is shown in full, by name; undefined: all, shortened. */
  readonly comparison?: string;
}

/**
 * A filter without typing. positive: above zero; minimum: at least a number; choice: a value of the domain; same: the
 * value of a clicked row.
 */
export interface QuickFilter {
  readonly kind: 'positive' | 'minimum' | 'choice' | 'same';
  readonly field: string;
  readonly title: Translations;
}
