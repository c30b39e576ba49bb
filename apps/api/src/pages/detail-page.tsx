import type { Field } from '@takt/catalogue/resources';
import { ready } from '@takt/pages';
import type { DetailPage, Row, WritingContext } from '../representations/writer.js';
import { writePage } from './frame.js';
import { Opened } from './list-page.js';
import { keyText, namesOf, versionText } from './object-names.js';
import { listPart } from './page-parts.js';
import { PeriodForm, periodText } from './period.js';
import {
  type Section,
  type ShownCollection,
  type ShownField,
  sectionsOf,
  type ValueStyle,
  type WriteValue,
  writeValueOf,
} from './sections.js';
import { isMonths, saidElsewhere, Times } from './times-page.js';
import { fieldHeading, headingOf, wordingOf } from './words.js';

/**
 * Writes the page of an object. It shows the comparisons of planned and actual times first, and then a section for each
 * group of fields and for each list.
 */
export function* writeDetailPage(page: DetailPage, context: WritingContext): Iterable<string> {
  const wording = wordingOf(context);
  const title = page.resource.title[context.language];
  const sections = sectionsOf(page.outline);
  const opened = listPart(page, 'opened');
  const names = namesOf(sections, page);
  const key = keyText(sections, page) ?? [];
  const { comparisons = [] } = page.resource;
  const isCompared = comparisons.length > 0;
  const said = isCompared ? saidElsewhere(page, sections) : new Set<Field | undefined>();
  const others = sections
    .map(({ group, nodes }): Section => {
      const left = nodes.filter((node) => {
        if (node.kind === 'field') return !said.has(node.field);
        // Collections are left out if the page shows the rows of another list, because these rows contain more. Months
        // are left out if charts show them.
        return opened === undefined && !(isCompared && isMonths(node));
      });
      return { group, nodes: left };
    })
    .filter(({ nodes }) => nodes.length > 0);
  // The title of a page with times also names the period.
  const period = periodText(page.resource, context) ?? [];
  const lead = isCompared
    ? [key, versionText(sections, page, wording), ...names.slice(0, -1), title, period].flat()
    : [...names, key].flat();
  yield writePage({
    title: [title, ...names, key, isCompared ? versionText(sections, page, wording) : []].flat().join(' – '),
    context,
    children: (
      <>
        <h1>{isCompared ? (names.at(-1) ?? title) : title}</h1>
        {lead.length > 0 && <p class="lead">{lead.join(' · ')}</p>}
        <PeriodForm resource={page.resource} context={context} />
        {isCompared && <Times page={page} sections={sections} context={context} />}
        {opened !== undefined && <Opened of={page.resource} opened={opened} context={context} isHeaded />}
        <div class="cards">{ready(sectionsWriter(others, 2, { context, wording })(page.row))}</div>
      </>
    ),
  });
}

/** Returns a function that writes the fields of a section as a list of terms with their values. */
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

/**
 * Returns a function that writes a section for each group, with headings of the given level. Collections become tables.
 */
function sectionsWriter(sections: readonly Section[], level: 2 | 3, style: ValueStyle): WriteValue {
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

/**
 * Returns a function that writes a collection as a table, with a row for each item and a column for each field.
 * Collections inside an item are left out; only programs get them, as JSON.
 */
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
