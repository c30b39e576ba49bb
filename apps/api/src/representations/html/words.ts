import { escapeHtml } from '@takt/pages';
import type { Field, Node, Resource } from '@takt/resources';
import { type Wording, wordings } from './page-words.js';

export { wordings };

/** Puts values, which must be HTML already, in the places {0}, {1}, ... */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}

/** The heading of a field, group or collection. */
export function headingOf({ heading }: Pick<Node, 'heading'>, { language }: Wording): string {
  return escapeHtml(heading[language]);
}

/** What a page about a resource is called. */
export function titleOf({ title }: Resource, { language }: Wording): string {
  return escapeHtml(title[language]);
}

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
