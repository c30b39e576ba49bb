import type { Field } from '@takt/resources';
import { headingOf } from './heading-of.js';
import type { Wording } from './languages/wording.js';

/** The unit stands apart from the words, so that it can be set more quietly. */
export function withUnit(heading: string, unit: Field['unit']): string {
  return unit === undefined ? heading : `${heading} <span class="unit">${unit}</span>`;
}

export function fieldHeading(field: Field, wording: Wording): string {
  return withUnit(headingOf(field, wording), field.unit);
}

/** Numbers are compared by their ends; keys of domain values are words. */
export function isFigure({ type, domain }: Field): boolean {
  return (type === 'integer' || type === 'decimal') && domain === undefined;
}
