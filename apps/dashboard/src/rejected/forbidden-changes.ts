import type { Duty, Rights } from '@takt/access';
import { conceal, isPlaceholder, readsAllOf, typeIn } from '../concealed.js';

/** Returns the paths of the single values that differ between two events, such as `data.database`. */
function changedPaths(one: unknown, other: unknown, path = ''): readonly string[] {
  if (!isNested(one) || !isNested(other) || Array.isArray(one) !== Array.isArray(other)) {
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [path];
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    changedPaths(Reflect.get(one, name), Reflect.get(other, name), path === '' ? name : `${path}.${name}`),
  );
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Returns the paths that a correction must not change if its author may not read all values of the event: values that are
 * hidden, and all that break no rule. Otherwise a hidden value could be moved to where the author can read it, such as
 * another company, or be guessed, since an event of the same moment is rejected unless it has the same values. The result
 * depends on nothing that is hidden, so it is the same for a right guess and a wrong one.
 * @param entered the correction as its author entered it, with a placeholder for each hidden value
 * @param faults paths of the fields that break a rule; an empty path stands for the whole event
 */
export function findForbiddenChanges(
  original: unknown,
  entered: unknown,
  { duties, faults }: { readonly duties: Rights<Duty>; readonly faults: readonly string[] },
): readonly string[] {
  if ([original, entered].every((event) => readsAllOf(typeIn(event), duties))) return [];
  const shown = conceal(original, duties);
  const hiddenIfSent = changedPaths(conceal(entered, duties), entered);
  const isFault = (path: string) => faults.some((fault) => areNested(fault, path));
  const isHidden = (path: string) => placeholdersIn(shown).some((hidden) => areNested(hidden, path));
  const changed = changedPaths(shown, entered).filter((path) => !isFault(path) || isHidden(path));
  return [...new Set([...hiddenIfSent, ...changed])];
}

/** Returns true if one of two paths is the other one or a part of it. An empty path is the whole event. */
function areNested(one: string, other: string): boolean {
  const isWithin = (path: string, whole: string) =>
    whole === '' || path === whole || path.startsWith(`${whole}.`);
  return isWithin(one, other) || isWithin(other, one);
}

/** Returns the paths of the values that are hidden in an event. */
function placeholdersIn(shown: unknown, path = ''): readonly string[] {
  if (isPlaceholder(shown)) return [path];
  if (!isNested(shown)) return [];
  return Object.entries(shown).flatMap(([name, value]) =>
    placeholdersIn(value, path === '' ? name : `${path}.${name}`),
  );
}
