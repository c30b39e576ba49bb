import { eventFieldPaths, type FieldRule, fieldRulesOf, withEventField } from '@takt/events/internal';
import { RefusedCorrectionError } from '@takt/rejections';
import { isPlaceholder, typeIn } from '../concealed.js';

/** A field of the form that corrects an event. */
export interface FormField extends FieldRule {
  /** The value as text; empty if the event does not have the field. */
  readonly text: string;
  /** True for a value that the form cannot change: a hidden one, or a list or an object. */
  readonly isFixed: boolean;
}

/** Name of the form's field for a field of the event. */
export const nameOf = (path: string) => `field:${path}`;

/** Returns true if the event has fields that a form can show. */
export function isCorrectable(event: unknown): event is object {
  return typeof event === 'object' && event !== null && !Array.isArray(event);
}

/** Returns the fields of the event's type with the values of the event. */
export function formFieldsOf(event: unknown): readonly FormField[] {
  return fieldRulesOf(typeIn(event)).map((field) => {
    const value = valueAt(event, field.path.split('.'));
    const isFixed = isPlaceholder(value) || (typeof value === 'object' && value !== null);
    return { ...field, text: textOf(value), isFixed };
  });
}

/**
 * Returns the event with the fields that a form has changed. A field that is emptied is left out of the event. Throws a
 * RefusedCorrectionError if the event has no object in which the field belongs.
 */
export function applyFields(shown: unknown, form: URLSearchParams): unknown {
  let event = shown;
  for (const path of eventFieldPaths) {
    const entered = form.get(nameOf(path))?.trim();
    if (entered === undefined || entered === textOf(valueAt(shown, path.split('.'))).trim()) continue;
    const changed =
      entered === '' ? withoutPath(event, path.split('.')) : withEventField(event, path, entered);
    if (changed === undefined) {
      throw new RefusedCorrectionError([
        `${path.split('.').slice(0, -1).join('.') || 'event'} must be a JSON object`,
      ]);
    }
    event = changed;
  }
  return event;
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function valueAt(holder: unknown, [name, ...others]: readonly string[]): unknown {
  if (name === undefined) return holder;
  return isCorrectable(holder) && Object.hasOwn(holder, name)
    ? valueAt(Reflect.get(holder, name), others)
    : undefined;
}

function withoutPath(holder: unknown, [name = '', ...others]: readonly string[]): object | undefined {
  if (!isCorrectable(holder)) return undefined;
  const { [name]: inner, ...rest } = holder as Readonly<Record<string, unknown>>;
  if (others.length === 0) return rest;
  const changed = withoutPath(inner, others);
  return changed && { ...holder, [name]: changed };
}
