import type { Translations } from '@takt/texts';

/**
 * Presentation of a list to people, in addition to its fields. Fields are referred to by their `$filter` names.
 * Anything that needs a field hidden from the reader is left out.
 */
export interface Browsing {
  /** True for the list that is the service's start page. */
  readonly isFirst?: true;
  /** The field with the name of a row. A click on the name filters by that name. */
  readonly name: string;
  /** Fields that distinguish rows of the same name, shown below the name in this order. */
  readonly details: readonly string[];
  /** Columns with figures about a row as a whole. */
  readonly figures: readonly RowFigure[];
  /** The views in order. The list's address without parameters opens the first view that is available to the reader. */
  readonly views: readonly View[];
  readonly filters: readonly QuickFilter[];
  /** A sentence with the totals of the list; absent: the summary of the view is shown. */
  readonly totals?: TotalsTexts;
  /** Explains the figures in a sentence or two; absent: the usual explanation of comparisons is shown. */
  readonly figuresHelp?: Translations;
  /** The address that compares the rows given by `ids`; absent: rows cannot be chosen for comparison. */
  readonly comparesAt?: string;
}

/** Sentences with the totals. {0} is hours or operations, {1} the number of rows, at least 2. */
export interface TotalsTexts {
  readonly overPlan: Translations;
  readonly underPlan: Translations;
  /** The sentence that is used if nothing is planned or the reader may not see plans. */
  readonly completed: Translations;
}

/**
 * The format of a figure. hours: two decimals; signed hours and percent: with a sign, and marked as over or under;
 * count: a plain number; words: the description of a domain's key.
 */
export type FigureStyle = 'hours' | 'signed hours' | 'percent' | 'count' | 'words';

interface RowFigure {
  readonly field: string;
  /** A short heading for a column. */
  readonly heading: Translations;
  readonly as: FigureStyle;
}

/** A named filter and order with an address of its own. */
export interface View {
  /** The name in the address: `view=setup`. */
  readonly name: string;
  readonly title: Translations;
  /** Describes the rows in one sentence. */
  readonly summary: Translations;
  /** The filter of the view: the field has a positive value, or the value `is` of its domain; undefined: no filter. */
  readonly only?: { readonly field: string; readonly is?: string };
  /** Another value of the same field. The page counts its rows ({0}) and links to them; undefined: none. */
  readonly besides?: { readonly is: string; readonly text: Translations };
  readonly order: { readonly field: string; readonly direction: 'asc' | 'desc' };
  /** Name of the comparison that the view shows in full; undefined: all comparisons are shown in short. */
  readonly comparison?: string;
}

/**
 * A filter that people can use without writing an expression. positive: above zero; minimum: at least a given number;
 * choice: a value of the domain; same: the value of a clicked row.
 */
export interface QuickFilter {
  readonly kind: 'positive' | 'minimum' | 'choice' | 'same';
  readonly field: string;
  readonly title: Translations;
}
