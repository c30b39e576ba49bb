import { describeProblems, parseEvent } from '@takt/events';
import { withEventField } from '@takt/events/internal';
import { companyIn } from './event-text.js';

/** A new value for one field. */
export interface FieldCorrection {
  /** Path of the field, which must be among `eventFieldPaths`. */
  readonly field: string;
  readonly value: string;
}

/**
 * Returns the reasons why a corrected event would be rejected again, one line each.
 * @param registered the codes of all registered companies
 */
export function findCorrectionProblems(event: unknown, registered: ReadonlySet<string>): readonly string[] {
  const result = parseEvent(event);
  if (!result.ok) return result.problems.map((problem) => describeProblems([problem]));
  const company = companyIn(event) ?? '';
  return registered.has(company)
    ? []
    : [`data.database must be the code of a registered company (got ${JSON.stringify(company)})`];
}

/** Returns the corrected event. Throws a RefusedCorrectionError if `findProblems` finds any. */
export function correctField(
  event: unknown,
  { field, value }: FieldCorrection,
  findProblems: (corrected: object) => readonly string[],
): object {
  const corrected = withEventField(event, field, value);
  if (corrected === undefined) throw new RefusedCorrectionError(['must be a JSON object']);
  const problems = findProblems(corrected);
  if (problems.length > 0) throw new RefusedCorrectionError(problems);
  return corrected;
}

/** Thrown if the corrected event would be rejected again. The message contains the reasons. */
export class RefusedCorrectionError extends Error {
  override readonly name = 'RefusedCorrectionError';

  /** The reasons, one line each. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}
