import type { EventProblem } from '../event-problem.js';
import { excerpt } from '../excerpt.js';

// JSON.stringify writes \u only for control characters and lone surrogates, in lower case. An even number of
// backslashes before it is text that shows backslashes, not an escape.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** PostgreSQL's JSON parser recurses; what the contract lists is nested three deep. */
const MAX_DEPTH = 500;

/**
 * Finds what would make PostgreSQL refuse the JSON text of an event, and with it all events added by the same
 * statement: NUL or lone surrogates anywhere, also in names and in fields that are ignored, and deep nesting.
 * The rule is the same for Redis, so that events can move from one store to the other.
 */
export function jsonTextProblem(text: string): EventProblem | undefined {
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    return problem('must hold no NUL and no lone surrogates, also not in ignored fields', text);
  }
  // A shorter text cannot be that deep, so that usual events are not scanned.
  if (text.length > 2 * MAX_DEPTH && depthOf(text) > MAX_DEPTH) {
    return problem(`must not be nested more than ${MAX_DEPTH} deep`, text);
  }
  return undefined;
}

function problem(rule: string, text: string): EventProblem {
  return { field: '', rule, got: excerpt(text) };
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);

/** By hand: a regular expression with an alternative per character overflows on a string of megabytes. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === BACKSLASH) {
      index += 1;
    } else if (character === QUOTE) {
      isInString = !isInString;
    } else if (!isInString) {
      depth += nesting.get(character) ?? 0;
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

const nesting: ReadonlyMap<number, number> = new Map([
  ['['.charCodeAt(0), 1],
  ['{'.charCodeAt(0), 1],
  [']'.charCodeAt(0), -1],
  ['}'.charCodeAt(0), -1],
]);
