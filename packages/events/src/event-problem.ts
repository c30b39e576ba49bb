/** One rule that a value given as an event breaks. */
export interface EventProblem {
  /** Path of the field, such as `data.runTime`; empty for the value as a whole. */
  readonly field: string;
  /** What is required, as in "must be an integer from 1 to 9". */
  readonly rule: string;
  /** What was there instead: at most 80 characters, safe to store and to show. */
  readonly got: string;
}

/** The problems in one line, as in `data.runTime must be ... (got -1); id must be ... (got nothing)`. */
export function describeProblems(problems: readonly EventProblem[]): string {
  return problems.map(({ field, rule, got }) => `${field || 'event'} ${rule} (got ${got})`).join('; ');
}
