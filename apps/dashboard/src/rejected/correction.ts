import { companyIn, findCorrectionProblems } from '@takt/database/rejected-events';
import { maySee, type Person } from '../visit.js';

/**
 * Returns the reasons, one line each, why a corrected event would be rejected again or why this person may not send it.
 */
export function findProblemsFor(
  person: Person,
  event: unknown,
  registered: ReadonlySet<string>,
): readonly string[] {
  const problems = findCorrectionProblems(event, registered);
  const company = companyIn(event) ?? '';
  // Without this check, a person could change an event to another company whose data they may not see.
  return problems.length > 0 || maySee(person, company)
    ? problems
    : [`data.database must be one of your companies (got "${company}")`];
}
