import { companyIn } from '@takt/database/rejected-events';
import { describeProblems, parseEvent, withEventField } from '@takt/events';
import { maySee, type Person } from '../visit.js';

/** One field that is to have another value. */
export interface FieldCorrection {
  /** Path, one of `eventFieldPaths`. */
  readonly field: string;
  /** As it was typed. */
  readonly value: string;
}

export interface CorrectionPlace {
  readonly person: Person;
  readonly registered: ReadonlySet<string>;
}

/** Why a corrected event would be rejected again, or may not be sent by this person; each problem is a line of text. */
export function findCorrectionProblems(
  event: unknown,
  { person, registered }: CorrectionPlace,
): readonly string[] {
  const result = parseEvent(event);
  if (!result.ok) return result.problems.map((problem) => describeProblems([problem]));
  const company = companyIn(event) ?? '';
  if (!registered.has(company)) {
    return [`data.database must be the code of a registered company (got "${company}")`];
  }
  // Else who works for one company could write into another.
  if (!maySee(person, company)) return [`data.database must be one of your companies (got "${company}")`];
  return [];
}

/** The corrected event. Throws a RefusedCorrectionError where it would be rejected again. */
export function makeCorrection(
  event: unknown,
  { field, value }: FieldCorrection,
  place: CorrectionPlace,
): object {
  const corrected = withEventField(event, field, value);
  if (corrected === undefined) throw new RefusedCorrectionError('must be a JSON object');
  const problems = findCorrectionProblems(corrected, place);
  if (problems.length > 0) throw new RefusedCorrectionError(problems.join('; '));
  return corrected;
}

/** Corrected like this, an event would be rejected again. */
export class RefusedCorrectionError extends Error {
  override readonly name = 'RefusedCorrectionError';
}
