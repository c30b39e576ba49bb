import { describeProblems, parseEvent, withEventField } from '@takt/events';
import { companyIn } from './event-text.js';

/** One field that is to have another value. */
export interface FieldCorrection {
  /** Path, one of `eventFieldPaths`. */
  readonly field: string;
  /** As it was typed. */
  readonly value: string;
}

/** Why a corrected event would be rejected again; each problem is a line of text. `registered`: codes of companies. */
export function findCorrectionProblems(event: unknown, registered: ReadonlySet<string>): readonly string[] {
  const result = parseEvent(event);
  if (!result.ok) return result.problems.map((problem) => describeProblems([problem]));
  const company = companyIn(event) ?? '';
  return registered.has(company)
    ? []
    : [`data.database must be the code of a registered company (got "${company}")`];
}

/** The corrected event. Throws a RefusedCorrectionError where `findProblems` finds something wrong with it. */
export function correctField(
  event: unknown,
  { field, value }: FieldCorrection,
  findProblems: (corrected: object) => readonly string[],
): object {
  const corrected = withEventField(event, field, value);
  if (corrected === undefined) throw new RefusedCorrectionError('must be a JSON object');
  const problems = findProblems(corrected);
  if (problems.length > 0) throw new RefusedCorrectionError(problems.join('; '));
  return corrected;
}

/** Corrected like this, an event would be rejected again. The message is its reason. */
export class RefusedCorrectionError extends Error {
  override readonly name = 'RefusedCorrectionError';
}
