import type { Row, Value, WritingContext } from '../page.js';
import { linkOf } from '../shared-parts.js';
import { escapeHtml } from './escape-html.js';
import { exactFormat, type FormatNumber } from './format-number.js';
import type { Wording } from './languages/wording.js';
import type { ShownField } from './shown-nodes.js';

/** Writes what a row holds for a field. */
export type WriteValue = (row: Row) => string;

/** What a column shares with all its cells. */
export interface ValueStyle {
  readonly context: WritingContext;
  readonly wording: Wording;
}

/**
 * A dash to see, words to hear. What stands in many rows is written in ASCII, by its name where need be: a text of one
 * byte per character takes half the time to put together and send.
 */
export function missingValue({ texts }: Wording): string {
  return `<span class="nil"><span aria-hidden="true">&ndash;</span><span class="vh">${texts.noValue}</span></span>`;
}

/** A field's value in full: every digit, the words of a key beside the key, an address as a link. */
export function writeValueOf(shown: ShownField, style: ValueStyle): WriteValue {
  const { index, descriptionIndex } = shown;
  const write = valueWriterOf(shown, style);
  const missing = missingValue(style.wording);
  if (descriptionIndex === undefined) {
    return (row) => {
      const value = row[index] ?? null;
      return value === null ? missing : write(value);
    };
  }
  return (row) => {
    const value = row[index] ?? null;
    if (value === null) return missing;
    const description = row[descriptionIndex] ?? null;
    return description === null ? write(value) : describedKey(String(description), value);
  };
}

/** The exact number for machines, the formatted one for people. */
export function numberElement(value: number, format: FormatNumber): string {
  return `<data value="${value}">${format(value)}</data>`;
}

function describedKey(description: string, key: Value): string {
  const escapedKey = escapeHtml(String(key));
  return `<data value="${escapedKey}">${escapeHtml(description)} <span class="key">(${escapedKey})</span></data>`;
}

function valueWriterOf({ field }: ShownField, { context, wording }: ValueStyle): (value: Value) => string {
  switch (field.type) {
    case 'integer':
    case 'decimal': {
      const format = exactFormat(wording);
      return (value) => numberElement(Number(value), format);
    }
    case 'boolean': {
      const { yes, no } = wording.texts;
      return (value) => `<data value="${value === true}">${value === true ? yes : no}</data>`;
    }
    case 'instant':
      return instantWriter(wording);
    case 'link':
      return (value) => linkElement(linkOf(field, value, context) ?? '', context.baseUrl);
    case 'text':
      return (value) => escapeHtml(String(value));
  }
}

/**
 * Only what leads to a web page becomes a link: `javascript:` in stored text stays text. What leads within the service
 * shows its path alone.
 */
function linkElement(address: string, baseUrl: string): string {
  const escaped = escapeHtml(address);
  if (!/^https?:\/\//i.test(address)) return escaped;
  const shown = address.startsWith(`${baseUrl}/`)
    ? escapeHtml(address.slice(baseUrl.length).split('?', 1)[0] ?? '')
    : escaped;
  return `<a href="${escaped}">${shown}</a>`;
}

function instantWriter({ tag }: Wording): (value: Value) => string {
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  return (value) => {
    const text = String(value);
    const instant = new Date(text);
    const shown = Number.isNaN(instant.getTime()) ? escapeHtml(text) : `${format.format(instant)} UTC`;
    return `<time datetime="${escapeHtml(text)}">${shown}</time>`;
  };
}
