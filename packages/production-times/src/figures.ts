type Time = 'run' | 'setup' | 'cleanup';

/**
 * The name of a figure of a structure version: the 13 that are served, and the sums and counts that they are
 * derived from, which must be exact too.
 */
export type FigureName =
  | 'numberOfCompletedProductionWorkOrders'
  | `${'average' | 'shortest' | 'longest' | 'deviation'}${Capitalize<Time>}Time`
  | `${Time}Time${'Sum' | 'SumOfSquares'}`
  | `${Exclude<Time, 'run'>}TimeCount`;

/** Every figure as decimal text, in hours but for counts; null where no value was reported. */
export type Figures = Readonly<Record<FigureName, string | null>>;

/** What completed operations of one structure version report, in hours as decimal text; nulls left out. */
export interface ReportedTimes {
  readonly run: readonly string[];
  readonly setup: readonly string[];
  readonly cleanup: readonly string[];
}
