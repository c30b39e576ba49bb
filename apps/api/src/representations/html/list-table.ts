import type { Field, ListResource } from '@takt/resources';
import type { ListPage, Row } from '../page.js';
import type { Column } from './column.js';
import { comparisonColumns } from './comparison-columns.js';
import { escapeHtml } from './escape-html.js';
import { fieldColumns } from './field-columns.js';
import { type RowName, rowDetails } from './row-details.js';
import { type Section, type ShownField, sectionsOf } from './shown-nodes.js';
import { sortHeadings } from './sort-headings.js';
import { summarySections } from './summary-sections.js';
import type { ValueStyle, WriteValue } from './write-value.js';

export interface ListTable {
  readonly columns: readonly Column[];
  /** Where the columns do not show everything: a panel with all of a row. */
  readonly panel: WriteValue | undefined;
  readonly hasDrawings: boolean;
}

/** A list with comparisons shows what tells its rows apart, and draws the rest; any other shows all its fields. */
export function listTable(page: ListPage, style: ValueStyle): ListTable {
  const { resource, outline, rows } = page;
  const sort = sortHeadings(resource, style.context, style.wording);
  const sections = sectionsOf(outline);
  if (resource.comparisons.length === 0) {
    return { columns: fieldColumns(resource, sections, style, sort), panel: undefined, hasDrawings: false };
  }
  const shown = fieldsOf(sections);
  const compared = comparedFields(resource);
  const summary = summarySections(resource, sections, compared);
  const details = rowDetails(resource, sections, shown, compared, style);
  const nameOf = namesOf(page, summary, style);
  const [first, ...others] = fieldColumns(resource, summary, style, sort);
  const leading: Omit<Column, 'write'> = first ?? {
    group: undefined,
    heading: style.wording.texts.details,
    sorted: undefined,
    align: 'start',
  };
  const comparisons = resource.comparisons.flatMap((comparison) =>
    comparisonColumns(comparison, shown, rows, style.wording, sort),
  );
  return {
    columns: [
      { ...leading, align: 'start', write: (row) => details.button(nameOf(row)) },
      ...others,
      ...comparisons,
    ],
    panel: (row) => details.panel(row, nameOf(row)),
    hasDrawings: resource.comparisons.some(
      ({ shortest, longest }) => shown.has(shortest) || shown.has(longest),
    ),
  };
}

function fieldsOf(sections: readonly Section[]): ReadonlyMap<Field, ShownField> {
  const fields = sections.flatMap(({ nodes }) => nodes.filter((node) => node.kind === 'field'));
  return new Map(fields.map((node) => [node.field, node]));
}

function comparedFields({ comparisons }: ListResource): ReadonlySet<Field> {
  return new Set(
    comparisons.flatMap(({ planned, average, deviation, shortest, longest }) => [
      planned,
      average,
      deviation,
      shortest,
      longest,
    ]),
  );
}

/** A row is called by the first of what tells rows apart; one without it, by its position. */
function namesOf(
  { rows, paging }: ListPage,
  summary: readonly Section[],
  { wording }: ValueStyle,
): (row: Row) => RowName {
  const first = summary[0]?.nodes[0];
  const names = new Map<Row, RowName>(
    rows.map((row, index) => {
      const position = paging.position + index;
      const text = first === undefined ? '' : escapeHtml(String(row[first.index] ?? ''));
      return [row, { text: text.trim() === '' ? `${wording.texts.details} ${position}` : text, position }];
    }),
  );
  return (row) => names.get(row) ?? { text: wording.texts.details, position: 0 };
}
