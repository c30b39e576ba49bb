import type { Node, Resource } from '@takt/resources';
import { escapeHtml } from './escape-html.js';
import type { Wording } from './languages/wording.js';

/** The heading of a field, group or collection. */
export function headingOf({ heading }: Pick<Node, 'heading'>, { language }: Wording): string {
  return escapeHtml(heading[language]);
}

/** What a page about a resource is called. */
export function titleOf({ title }: Resource, { language }: Wording): string {
  return escapeHtml(title[language]);
}
