import { describeProblems, findPublishingProblems } from '@takt/events';
import type { Line } from './read-lines.js';

/** What a line of a file holds: an event that may be published, nothing, or something else. */
export type CheckedLine =
  | { readonly kind: 'event'; readonly event: unknown }
  | { readonly kind: 'blank' }
  | { readonly kind: 'invalid'; readonly problems: string };

/** Judges a line as the publisher will, so that what is right here is taken there. */
export function checkLine({ text, problem }: Line): CheckedLine {
  if (problem !== undefined) return { kind: 'invalid', problems: problem };
  if (text.trim() === '') return { kind: 'blank' };
  try {
    const event: unknown = JSON.parse(text);
    const problems = findPublishingProblems(event);
    return problems.length === 0
      ? { kind: 'event', event }
      : { kind: 'invalid', problems: describeProblems(problems) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'invalid', problems: `is not JSON: ${reason}` };
  }
}
