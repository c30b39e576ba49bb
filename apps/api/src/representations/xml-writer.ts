import { SUMMARY } from '@takt/catalogue/resources';
import {
  decimalText,
  describeErrorDocument,
  describePaging,
  describeServiceIndex,
  escapeXml,
  linkWriterOf,
} from './shared-parts.js';
import type { OutlineNode, Row, Value, Writer, WritingContext } from './writer.js';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
/**
 * Declares the prefix xsi, which is needed for the xsi:nil of missing values. The declaration is only on the root
 * element.
 */
const XSI = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

type WriteRow = (row: Row) => string;

/**
 * One step of writing a row. It consists of the text before an element, the index of the value, and the function that
 * writes the value.
 */
interface Step {
  readonly before: string;
  readonly index: number;
  readonly write: (value: Value) => string;
}

/** Writes documents as XML. The tags of a row are the same in all rows, so they are prepared once for the document. */
export const xmlWriter: Writer = {
  contentType: 'application/xml; charset=utf-8',

  *list({ resource, outline, rows, paging, totals }, context) {
    const writeRow = compileElement(resource.element, outline, context);
    yield `${DECLARATION}<${resource.container}${XSI}>`;
    for (const row of rows) yield writeRow(row);
    const { outline: pagingOutline, row } = describePaging(paging);
    yield compileElement('Paging', pagingOutline.children, context)(row);
    if (totals !== undefined) yield compileElement(SUMMARY, totals.outline, context)(totals.row);
    yield `</${resource.container}>`;
  },

  *detail({ resource, outline, row }, context) {
    yield DECLARATION + compileElement(resource.element, outline, context, XSI)(row);
  },

  *index(context) {
    const { outline, row } = describeServiceIndex(context);
    yield DECLARATION + compileElement(outline.group.name, outline.children, context, XSI)(row);
  },

  *error(error, context) {
    const { outline, row } = describeErrorDocument(error);
    yield DECLARATION + compileElement(outline.group.name, outline.children, context, XSI)(row);
  },
};

function compileElement(
  element: string,
  outline: readonly OutlineNode[],
  context: WritingContext,
  attributes = '',
): WriteRow {
  const steps: Step[] = [];
  let pending = `<${element}${attributes}>`;
  const visit = (nodes: readonly OutlineNode[]) => {
    for (const node of nodes) {
      if (node.kind === 'group') {
        pending += `<${node.group.name}>`;
        visit(node.children);
        pending += `</${node.group.name}>`;
      } else {
        steps.push({ before: pending, index: node.index, write: writeElementOf(node, context) });
        pending = '';
      }
    }
  };
  visit(outline);
  pending += `</${element}>`;
  return (row) => {
    let written = '';
    for (const { before, index, write } of steps) written += before + write(row[index] ?? null);
    return written + pending;
  };
}

function writeElementOf(
  node: Exclude<OutlineNode, { kind: 'group' }>,
  context: WritingContext,
): Step['write'] {
  if (node.kind === 'collection') {
    const { name } = node.collection;
    return (items) => {
      if (!Array.isArray(items) || items.length === 0) return `<${name}/>`;
      const item = node.item();
      const writeItem = compileElement(item.group.name, item.children, context);
      return `<${name}>${items.map(writeItem).join('')}</${name}>`;
    };
  }
  const { field } = node;
  const [start, end, missing] = [`<${field.name}>`, `</${field.name}>`, `<${field.name} xsi:nil="true"/>`];
  const textOf = textWriterOf(node, context);
  return (value) => (value === null ? missing : start + textOf(value) + end);
}

function textWriterOf(
  { field }: Extract<OutlineNode, { kind: 'field' }>,
  context: WritingContext,
): (value: Value) => string {
  switch (field.type) {
    case 'link': {
      const addressOf = linkWriterOf(field, context, escapeXml);
      return (value) => addressOf(value) ?? '';
    }
    case 'text':
    case 'instant':
      return (value) => escapeXml(String(value));
    case 'decimal':
      return (value) => decimalText(Number(value));
    case 'integer':
    case 'boolean':
      return String;
  }
}
