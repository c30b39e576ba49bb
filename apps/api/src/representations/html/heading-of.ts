import type { Resource } from '@takt/resources';
import { escapeHtml } from './escape-html.js';
import type { Wording } from './languages/wording.js';

/**
 * The heading of a field, group or resource by the name of its XML element. A name that nobody has translated yet
 * gives its own words: AverageRunTime is Average run time, HTTPStatusCode is HTTP status code.
 */
export function headingOf(name: string, wording: Wording): string {
  const headings: Readonly<Record<string, string>> = wording.headings;
  return (Object.hasOwn(headings, name) ? headings[name] : undefined) ?? splitWords(name);
}

const ACRONYM = /^\p{Lu}{2,}$/u;

function splitWords(name: string): string {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+/gu) ?? [name];
  return words
    .map((word, index) => (index === 0 || ACRONYM.test(word) ? word : word.toLowerCase()))
    .join(' ');
}

/** What a page about a resource is called; a resource that nobody has translated yet by its own title. */
export function titleOf(resource: Resource, wording: Wording): string {
  const name = resource.kind === 'list' ? resource.container : resource.element;
  return Object.hasOwn(wording.headings, name) ? headingOf(name, wording) : escapeHtml(resource.title);
}
