import type { Field, ListResource } from '@takt/resources';
import type { Row } from '../page.js';
import { timesReader } from './comparison-columns.js';
import { sectionsWriter } from './definition-list.js';
import { exactFormat } from './format-number.js';
import { headingOf } from './heading-of.js';
import type { Section, ShownField } from './shown-nodes.js';
import { missingValue, numberElement, type ValueStyle, type WriteValue } from './write-value.js';

/** A row's heading as a button, and the panel it opens: a popover, which needs no script. */
export type WriteDetails = (row: Row, title: string, ordinal: number) => string;

/** Everything that is served of a row, every figure with all its digits. */
export function detailsWriter(
  resource: ListResource,
  sections: readonly Section[],
  shown: ReadonlyMap<Field, ShownField>,
  compared: ReadonlySet<Field>,
  style: ValueStyle,
): WriteDetails {
  const others = sections
    .map(
      ({ group, nodes }): Section => ({
        group,
        nodes: nodes.filter((node) => node.kind === 'collection' || !compared.has(node.field)),
      }),
    )
    .filter(({ nodes }) => nodes.length > 0);
  const writeOthers = sectionsWriter(others, 3, style);
  const writeTimes = timesTableWriter(resource, shown, style);
  const { close, details } = style.wording.texts;
  return (row, title, ordinal) => {
    const [panel, heading] = [`row-${ordinal}`, `row-${ordinal}-title`];
    const name = title === '' ? `${details} ${ordinal}` : title;
    return (
      `<button type="button" class="open" popovertarget="${panel}" aria-haspopup="dialog">${name}</button>` +
      `<div class="panel" id="${panel}" popover role="dialog" aria-labelledby="${heading}"><h2 id="${heading}">${name}</h2>` +
      `<button type="button" class="close" popovertarget="${panel}" popovertargetaction="hide">${close}</button>` +
      `${writeTimes(row)}${writeOthers(row)}</div>`
    );
  };
}

const FIGURES = ['planned', 'average', 'deviation', 'shortest', 'longest'] as const;

/** The kinds of time beside each other, the figures of each below each other: few columns, which fit on a phone. */
function timesTableWriter(
  { comparisons }: ListResource,
  shown: ReadonlyMap<Field, ShownField>,
  { wording }: ValueStyle,
): WriteValue {
  const served = comparisons.filter((comparison) => FIGURES.some((figure) => shown.has(comparison[figure])));
  if (served.length === 0) return () => '';
  const { texts } = wording;
  const headings = served.map(
    ({ planned }) => `<th scope="col" class="end">${headingOf(planned.name, wording)}</th>`,
  );
  const start = `<section><h3>${texts.actualTimes}</h3><table class="items"><thead><tr><td></td>${headings.join('')}</tr></thead><tbody>`;
  const readers = served.map((comparison) => timesReader(comparison, shown));
  const figures = FIGURES.filter((figure) => served.some((comparison) => shown.has(comparison[figure])));
  const missing = missingValue(wording);
  const format = exactFormat(wording);
  return (row) => {
    const times = readers.map((read) => read(row));
    let written = start;
    for (const figure of figures) {
      written += `<tr><th scope="row">${texts[figure]}</th>`;
      for (const { [figure]: hours } of times) {
        written += `<td class="end">${hours === null ? missing : numberElement(hours, format)}</td>`;
      }
      written += '</tr>';
    }
    return `${written}</tbody></table></section>`;
  };
}
