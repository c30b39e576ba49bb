import {
  type Field,
  type ListResource,
  type TimeComparison,
  type TimeFigure,
  timeFigures,
} from '@takt/resources';
import type { Row } from '../page.js';
import { timesReader } from './comparison-columns.js';
import { sectionsWriter } from './definition-list.js';
import type { Section, ShownField } from './sections.js';
import { headingOf } from './words.js';
import { exactFormat, missingValue, numberElement, type ValueStyle, type WriteValue } from './write-value.js';

/** What names a row on the page, as HTML, and its position in the list. */
export interface RowName {
  readonly text: string;
  readonly position: number;
}

/** The details of rows: panels that a button opens, as popovers, which need no script. */
interface RowDetails {
  readonly button: (name: RowName) => string;
  /** Everything that is served of a row, every figure with all its digits. */
  readonly panel: (row: Row, name: RowName) => string;
}

export function rowDetails(
  resource: ListResource,
  sections: readonly Section[],
  shown: ReadonlyMap<Field, ShownField>,
  compared: ReadonlySet<Field>,
  style: ValueStyle,
): RowDetails {
  const others = sections
    .map(({ group, nodes }): Section => {
      const uncompared = nodes.filter((node) => node.kind === 'collection' || !compared.has(node.field));
      return { group, nodes: uncompared };
    })
    .filter(({ nodes }) => nodes.length > 0);
  const writeOthers = sectionsWriter(others, 3, style);
  const writeTimes = timesTableWriter(resource, shown, style);
  const { close } = style.wording.texts;
  return {
    button: ({ text, position }) =>
      `<button type="button" class="open" popovertarget="row-${position}" aria-haspopup="dialog">${text}</button>`,
    panel: (row, { text, position }) =>
      `<div class="panel" id="row-${position}" popover role="dialog" aria-labelledby="row-${position}-name">` +
      `<h2 id="row-${position}-name">${text}</h2>` +
      `<button type="button" class="close" popovertarget="row-${position}" popovertargetaction="hide">${close}</button>` +
      `${writeTimes(row)}${writeOthers(row)}</div>\n`,
  };
}

/** The kinds of time beside each other, the figures of each below each other: few columns, which fit on a phone. */
function timesTableWriter(
  { comparisons }: ListResource,
  shown: ReadonlyMap<Field, ShownField>,
  { wording }: ValueStyle,
): WriteValue {
  const isServed = (comparison: TimeComparison, figure: TimeFigure) => {
    const field = comparison[figure];
    return field !== undefined && shown.has(field);
  };
  const served = comparisons.filter((comparison) =>
    timeFigures.some((figure) => isServed(comparison, figure)),
  );
  if (served.length === 0) return () => '';
  const { texts } = wording;
  const headings = served.map(
    (comparison) => `<th scope="col" class="end">${headingOf(comparison, wording)}</th>`,
  );
  const start = `<section><h3>${texts.actualTimes}</h3><table class="items"><thead><tr><td></td>${headings.join('')}</tr></thead><tbody>`;
  const readers = served.map((comparison) => timesReader(comparison, shown));
  const figures = timeFigures.filter((figure) => served.some((comparison) => isServed(comparison, figure)));
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
