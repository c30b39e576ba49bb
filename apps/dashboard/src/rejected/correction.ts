import { companyIn, findCorrectionProblems } from '@takt/database/rejected-events';
import { maySee, type Person } from '../visit.js';

/**
 * Finds the reasons why a corrected event would be rejected again, or why this person may not send it, one line each.
 */
export function findProblemsFor(
  person: Person,
  event: unknown,
  registered: ReadonlySet<string>,
): readonly string[] {
  const problems = findCorrectionProblems(event, registered);
  const company = companyIn(event) ?? '';
  // Otherwise a person could send an event for a company that they may not see.
  return problems.length > 0 || maySee(person, company)
    ? problems
    : [`data.database must be one of your companies (got "${company}")`];
}
