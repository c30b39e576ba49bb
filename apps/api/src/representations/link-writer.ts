import type { Field } from '@takt/resources';
import type { Value, WritingContext } from './page.js';

/** Absolute address of a link's value; null leads nowhere. */
export function linkOf(field: Field, value: Value, context: WritingContext): string | null {
  if (value === null) return null;
  if (field.linkPath === undefined) return String(value);
  return (
    context.baseUrl + field.linkPath.replace('{}', encodeURIComponent(String(value))) + context.linkSuffix
  );
}
