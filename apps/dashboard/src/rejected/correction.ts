import { companyIn, findCorrectionProblems, RefusedCorrectionError } from '@takt/database/rejected-events';
import { parseEvent } from '@takt/events';
import { findForbiddenChanges, reveal, typeIn } from '../concealed.js';
import { maySee, type Person } from '../visit.js';
import type { Words } from '../words.js';
import { readableReason } from './visibility.js';

/**
 * Returns the reasons, one line each, why a corrected event would be rejected again or why this person may not send it.
 */
export function findProblemsFor(
  person: Person,
  { original, corrected: event }: { readonly original: unknown; readonly corrected: unknown },
  registered: ReadonlySet<string>,
): readonly string[] {
  const problems = findCorrectionProblems(event, registered);
  const company = companyIn(event) ?? '';
  const forbidden = findForbiddenChanges(original, event, {
    duties: person.duties,
    faults: findFaults(original, registered),
  });
  if (forbidden.length > 0) {
    return forbidden.map((path) => `${path} can be changed only by who may read all values of the event`);
  }
  // Without this check, a person could change an event to another company whose data they may not see.
  if (problems.length === 0 && !maySee(person, company)) {
    return [`data.database must be one of your companies (got "${company}")`];
  }
  const text = JSON.stringify(event) ?? '';
  return problems.map((problem) => readableReason(person, { type: typeIn(event), reason: problem, text }));
}

/** Returns the paths of the fields that break a rule; an empty path stands for the whole event. */
function findFaults(event: unknown, registered: ReadonlySet<string>): readonly string[] {
  const result = parseEvent(event);
  if (!result.ok) return result.problems.map(({ field }) => field);
  return registered.has(companyIn(event) ?? '') ? [] : ['data.database'];
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
