import type { Translations } from '@takt/texts';

/**
 * Describes how a list is shown to people, in addition to its fields. It refers to fields by their names in `$filter`.
 * If a field is hidden from the reader, everything that needs this field is left out.
 */
export interface Browsing {
  /** True if this list is the start page of the service. */
  readonly isFirst?: true;
  /** If present, the list opens on a page with its first rows and the hours by month, from the list at this path. */
  readonly overview?: { readonly months: string };
  /** The field that contains the name of a row. A click on the name filters the list by this name. */
  readonly name: string;
  /** The fields that distinguish rows of the same name. They are shown below the name, in this order. */
  readonly details: readonly string[];
  /** The columns with figures that concern a row as a whole. */
  readonly figures: readonly RowFigure[];
  /**
   * The views in their order. The address of the list without parameters opens the first view that the reader may see.
   */
  readonly views: readonly View[];
  readonly filters: readonly QuickFilter[];
  /** The sentence that states the totals of the list. If absent, the summary of the view is shown instead. */
  readonly totals?: TotalsTexts;
  /** Explains the figures in a sentence or two. If absent, the usual explanation of comparisons is shown. */
  readonly figuresHelp?: Translations;
  /**
   * The address of the page that compares the rows whose identifiers are in `ids`. If absent, rows cannot be chosen for
   * a comparison.
   */
  readonly comparesAt?: string;
}

/**
 * The sentences that state the totals of a list. {0} stands for hours or for the number of operations, {1} for the
 * number of rows, which is at least 2.
 */
export interface TotalsTexts {
  readonly overPlan: Translations;
  readonly underPlan: Translations;
  /** The sentence used if nothing is planned, or if the reader may not see plans. */
  readonly completed: Translations;
}

/**
 * The way in which a figure is shown. hours: the time of an operation, in the unit of the page. total hours: a sum, in
 * hours with two decimals, because nobody adds up minutes to days. signed hours and percent: with a sign, and with a mark
 * if the figure is over or under plan. count: as a plain number. words: as the description of a domain's key.
 */
export type FigureStyle = 'hours' | 'total hours' | 'signed hours' | 'percent' | 'count' | 'words';

interface RowFigure {
  readonly field: string;
  readonly heading: Translations;
  readonly as: FigureStyle;
}

/** A filter and an order that have a name and an address of their own. */
export interface View {
  /** The name of the view in the address, as in `view=setup`. */
  readonly name: string;
  readonly title: Translations;
  readonly summary: Translations;
  /**
   * The filter of the view. The field must have the value `is` of its domain or, if `is` is absent, a positive value.
   * undefined if the view has no filter.
   */
  readonly only?: { readonly field: string; readonly is?: string };
  /**
   * A value of the field by which the view filters, other than the one that the view selects. The page counts the rows
   * with this value ({0} in the text) and links to them. undefined if the view has no such value.
   */
  readonly besides?: { readonly is: string; readonly text: Translations };
  readonly order: { readonly field: string; readonly direction: 'asc' | 'desc' };
  /**
   * The name of the comparison that the view shows with all its columns. If undefined, the view shows all comparisons
   * with few columns each.
   */
  readonly comparison?: string;
}

/**
 * A filter that people can use without writing an expression. positive: the field is above zero. minimum: the field has
 * at least a given value. choice: the field has a certain value of its domain. same: the field has the same value as
 * the row on which the person clicked. In views of one comparison, a filter `positive` is left out, because it concerns
 * the row as a whole.
 */
export interface QuickFilter {
  readonly kind: 'positive' | 'minimum' | 'choice' | 'same';
  readonly field: string;
  readonly title: Translations;
  /** The name of the comparison whose views offer the filter; undefined if it belongs to no comparison. */
  readonly comparison?: string;
}
