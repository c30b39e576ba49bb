import type { Row } from '../page.js';
import { type Section, type ShownCollection, type ShownField, sectionsOf } from './sections.js';
import { fieldHeading, headingOf } from './words.js';
import { type ValueStyle, type WriteValue, writeValueOf } from './write-value.js';

/** Fields of one section as terms and values. */
function definitionListWriter(nodes: readonly ShownField[], style: ValueStyle): WriteValue {
  const steps = nodes.map((node) => ({
    before: `<div><dt>${fieldHeading(node.field, style.wording)}</dt><dd>`,
    write: writeValueOf(node, style),
  }));
  return (row) => {
    let written = '<dl>';
    for (const { before, write } of steps) written += `${before}${write(row)}</dd></div>`;
    return `${written}</dl>`;
  };
}

/** A section per group under a heading of the level, with lists in tables of their own. */
export function sectionsWriter(sections: readonly Section[], level: 2 | 3, style: ValueStyle): WriteValue {
  const steps = sections.flatMap(({ group, nodes }) => {
    const fields = nodes.filter((node) => node.kind === 'field');
    const title = group === undefined ? style.wording.texts.general : headingOf(group, style.wording);
    return [
      ...(fields.length === 0 ? [] : [{ title, write: definitionListWriter(fields, style) }]),
      ...nodes
        .filter((node) => node.kind === 'collection')
        .map((node) => ({
          title: headingOf(node.collection, style.wording),
          write: collectionWriter(node, style),
        })),
    ].map((step) => ({ before: `<section><h${level}>${step.title}</h${level}>`, write: step.write }));
  });
  return (row) => {
    let written = '';
    for (const { before, write } of steps) written += `${before}${write(row)}</section>`;
    return written;
  };
}

/** The items of a collection as rows of a table, the fields of an item as columns; lists inside are left to JSON. */
function collectionWriter({ item, index }: ShownCollection, style: ValueStyle): WriteValue {
  return (row) => {
    const items = row[index];
    if (!Array.isArray(items) || items.length === 0) return `<p>${style.wording.texts.nothingFound}</p>`;
    const fields = sectionsOf(item().children).flatMap(({ nodes }) =>
      nodes.filter((node) => node.kind === 'field'),
    );
    const headings = fields
      .map(({ field }) => `<th scope="col">${fieldHeading(field, style.wording)}</th>`)
      .join('');
    const writers = fields.map((field) => writeValueOf(field, style));
    const writeItem = (values: Row) =>
      `<tr>${writers.map((write, place) => (place === 0 ? `<th scope="row">${write(values)}</th>` : `<td>${write(values)}</td>`)).join('')}</tr>`;
    return `<table class="items"><thead><tr>${headings}</tr></thead><tbody>${items.filter(isRow).map(writeItem).join('')}</tbody></table>`;
  };
}

function isRow(value: unknown): value is Row {
  return Array.isArray(value);
}
