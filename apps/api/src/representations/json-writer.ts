import { jsonName, SUMMARY } from '@takt/catalogue/resources';
import {
  decimalText,
  describeErrorDocument,
  describePaging,
  describeServiceIndex,
  linkWriterOf,
} from './shared-parts.js';
import type { OutlineNode, Row, Value, Writer, WritingContext } from './writer.js';

type WriteRow = (row: Row) => string;

/**
 * One step of writing a row. It consists of the text before a value, the index of the value, and the function that
 * writes the value. The function is undefined if JavaScript's own text for the value is right.
 */
interface Step {
  readonly before: string;
  readonly index: number;
  readonly write: ((value: Value) => string) | undefined;
}

/**
 * Writes documents as JSON. The names, braces and commas of a row are the same in all rows, so they are prepared once
 * for the document.
 */
export const jsonWriter: Writer = {
  contentType: 'application/json; charset=utf-8',

  *list({ resource, outline, rows, paging, totals }, context) {
    const writeRow = compileRow(outline, context);
    let before = `{${name(resource.container)}[`;
    for (const row of rows) {
      yield before + writeRow(row);
      before = ',';
    }
    const { outline: pagingOutline, row } = describePaging(paging);
    const summary =
      totals === undefined ? '' : `,${name(SUMMARY)}${compileRow(totals.outline, context)(totals.row)}`;
    const end = `],${name('Paging')}${compileRow(pagingOutline.children, context)(row)}${summary}}`;
    yield rows.length === 0 ? before + end : end;
  },

  *detail({ resource, outline, row }, context) {
    yield `{${name(resource.element)}${compileRow(outline, context)(row)}}`;
  },

  *index(context) {
    const { outline, row } = describeServiceIndex(context);
    yield compileRow(outline.children, context)(row);
  },

  *error(error, context) {
    const { outline, row } = describeErrorDocument(error);
    yield compileRow(outline.children, context)(row);
  },
};

function name(element: string): string {
  return `${JSON.stringify(jsonName(element))}:`;
}

function compileRow(outline: readonly OutlineNode[], context: WritingContext): WriteRow {
  const steps: Step[] = [];
  let pending = '';
  const visit = (nodes: readonly OutlineNode[]) => {
    pending += '{';
    nodes.forEach((node, position) => {
      if (position > 0) pending += ',';
      pending += name(nameOf(node));
      if (node.kind === 'group') {
        visit(node.children);
      } else {
        steps.push({ before: pending, index: node.index, write: writeValueOf(node, context) });
        pending = '';
      }
    });
    pending += '}';
  };
  visit(outline);
  return (row) => {
    let written = '';
    for (const { before, index, write } of steps) {
      const value = row[index] ?? null;
      written += before + (write === undefined ? value : write(value));
    }
    return written + pending;
  };
}

function nameOf(node: OutlineNode): string {
  if (node.kind === 'field') return node.field.name;
  return node.kind === 'group' ? node.group.name : node.collection.name;
}

function writeValueOf(node: Exclude<OutlineNode, { kind: 'group' }>, context: WritingContext): Step['write'] {
  if (node.kind === 'collection') {
    return (items) => {
      if (!Array.isArray(items) || items.length === 0) return '[]';
      const writeItem = compileRow(node.item().children, context);
      return `[${items.map(writeItem).join(',')}]`;
    };
  }
  switch (node.field.type) {
    case 'link': {
      const addressOf = linkWriterOf(node.field, context, (text) => JSON.stringify(text).slice(1, -1));
      return (value) => {
        const address = addressOf(value);
        return address === null ? 'null' : `"${address}"`;
      };
    }
    case 'text':
    case 'instant':
      return textValue;
    // A decimal has at most 15 digits, of which at most 6 follow the decimal point. So the shortest text of the
    // JavaScript number is the exact decimal, without an exponent.
    case 'decimal':
      return (value) => (typeof value === 'number' ? decimalText(value) : String(value));
    // For integers, null and booleans, JavaScript's text is the same as the text in JSON.
    case 'integer':
    case 'boolean':
      return undefined;
  }
}

/** Matches characters that must be escaped in JSON, and lone surrogates. */
const SPECIAL = /["\\\p{Cc}\p{Surrogate}]/u;

/**
 * Writes a text as JSON. It first checks whether the text contains special characters: for a text without them, that
 * takes only half as long as JSON.stringify.
 */
function textValue(value: Value): string {
  return typeof value === 'string' && !SPECIAL.test(value) ? `"${value}"` : JSON.stringify(value);
}
