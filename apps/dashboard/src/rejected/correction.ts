import { companyIn, findCorrectionProblems, RefusedCorrectionError } from '@takt/database/rejected-events';
import { ruleOf } from '@takt/events/internal';
import { readsAllOf, reveal, typeIn } from '../concealed.js';
import { maySee, type Person } from '../visit.js';
import type { Words } from '../words.js';

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
  if (problems.length === 0 && !maySee(person, company)) {
    return [`data.database must be one of your companies (got "${company}")`];
  }
  return readsAllOf(typeIn(event), person.duties) ? problems : problems.map(ruleOf);
}

interface CorrectionContext {
  /** The rejected event, with the values that the person may not read. */
  readonly original: unknown;
  readonly person: Person;
  readonly words: Words;
}

/** Reads the event that a person entered. Throws a RefusedCorrectionError if the text is not JSON or moves hidden values. */
export function readCorrection(text: string, { original, person, words }: CorrectionContext): unknown {
  let correction: unknown;
  try {
    correction = JSON.parse(text);
  } catch (error) {
    throw new RefusedCorrectionError([
      words.say('noJson', error instanceof Error ? error.message : String(error)),
    ]);
  }
  const revealed = reveal(correction, original, person.duties);
  if (revealed === undefined) throw new RefusedCorrectionError([words.say('hiddenMoved')]);
  return revealed;
}
