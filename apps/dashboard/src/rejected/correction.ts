import { parseEvent } from '@takt/events';
import { withEventField } from '@takt/events/internal';
import {
  companyIn,
  type FieldCorrection,
  findCorrectionProblems,
  RefusedCorrectionError,
} from '@takt/rejections';
import { conceal, readsAllOf, reveal, typeIn } from '../concealed.js';
import { maySee, type Person } from '../visit.js';
import type { Words } from '../words.js';
import { applyFields } from './correction-fields.js';
import { findForbiddenChanges } from './forbidden-changes.js';
import { readableReason } from './reader.js';

/**
 * Returns the reasons, one line each, why a corrected event would be rejected again or why this person may not send it.
 */
export function findProblemsFor(
  person: Person,
  event: unknown,
  registered: ReadonlySet<string>,
  words: Words,
): readonly string[] {
  const problems = findCorrectionProblems(event, registered);
  const company = companyIn(event) ?? '';
  // Without this check, a person could change an event to another company whose data they may not see.
  if (problems.length === 0 && !maySee(person, company)) {
    return [`data.database must be one of your companies (got ${JSON.stringify(company)})`];
  }
  const type = typeIn(event);
  const of = {
    type: typeof type === 'string' ? type : null,
    data: JSON.stringify(event) ?? '',
    problems: null,
  };
  return problems.map((reason) => readableReason(person, { ...of, reason }, words));
}

interface Correction {
  /** The rejected event, with the values that the person may not read. */
  readonly original: unknown;
  /** The event as the person entered it, with a placeholder for each value that the person may not read. */
  readonly entered: unknown;
}

/** Throws a RefusedCorrectionError if the person may not change what they changed. */
function assertMayChange(
  { duties }: Person,
  { original, entered }: Correction,
  registered: ReadonlySet<string>,
): void {
  const faults = findFaults(original, registered);
  const forbidden = findForbiddenChanges(original, entered, { duties, faults });
  if (forbidden.length > 0) throw refusedChange(forbidden);
}

/** Throws a RefusedCorrectionError if the person may not change one field of many events. */
export function assertMayChangeField(
  person: Person,
  original: unknown,
  { field, value }: FieldCorrection,
  registered: ReadonlySet<string>,
): void {
  // In an event of another type, other fields are hidden, and the rules would tell which of them are valid.
  if (field === 'type' && !readsAllOf(typeIn(original), person.duties)) throw refusedChange([field]);
  const shown = conceal(original, person.duties);
  const entered = withEventField(shown, field, value);
  if (entered !== undefined) {
    assertMayChange(person, { original, entered }, registered);
  } else if (JSON.stringify(shown) !== JSON.stringify(original)) {
    // The field is within a hidden value.
    throw refusedChange([field]);
  }
}

function refusedChange(paths: readonly string[]): RefusedCorrectionError {
  return new RefusedCorrectionError(
    paths.map((path) => `${path} can be changed only by who may read all values of the event`),
  );
}

/** Returns the paths of the fields that break a rule; an empty path stands for the whole event. */
function findFaults(event: unknown, registered: ReadonlySet<string>): readonly string[] {
  const result = parseEvent(event);
  if (!result.ok) return result.problems.map(({ field }) => field);
  return registered.has(companyIn(event) ?? '') ? [] : ['data.database'];
}

interface CorrectionContext {
  readonly original: unknown;
  readonly person: Person;
  readonly registered: ReadonlySet<string>;
  readonly words: Words;
}

/**
 * Reads the event that a person entered, as text or by its fields. Throws a RefusedCorrectionError if the text is not
 * JSON, or if it changes what the person may not change.
 */
export function readCorrection(
  form: URLSearchParams,
  { original, person, registered, words }: CorrectionContext,
): unknown {
  const entered = form.has('event')
    ? readText(form.get('event') ?? '', words)
    : applyFields(conceal(original, person.duties), form);
  assertMayChange(person, { original, entered }, registered);
  const revealed = reveal(entered, original, person.duties);
  if (revealed === undefined) throw new RefusedCorrectionError([words.say('hiddenMoved')]);
  return revealed;
}

function readText(text: string, words: Words): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new RefusedCorrectionError([words.say('noJson', message)]);
  }
}
