import type { ListResource } from '@takt/catalogue/resources';
import type { OutlineNode } from '../plan/outline.js';
import type { AboutLine, ExportColumn } from '../representations/export/export-columns.js';
import type { WritingContext } from '../representations/writer.js';
import { type Browse, browseOf, ownConditions } from './browse.js';
import { describeCondition } from './filter-forms.js';
import { meaningOfFigures, tableOf } from './list-table.js';
import { instantInZone } from './local-time.js';
import { allColumns, ownAddress, writtenIn } from './own-links.js';
import { comparedText, periodText } from './period.js';

/** The state of the page with its times in hours. A file is for programs too, so its unit does not change. */
const inHours = (resource: ListResource, context: WritingContext): Browse =>
  browseOf(resource, { ...context, timeUnit: 'h' });

export function columnsOfPage(
  resource: ListResource,
  outline: readonly OutlineNode[],
  context: WritingContext,
): readonly ExportColumn[] {
  const { columns } = tableOf({ resource, outline, rows: [] }, inHours(resource, context));
  return columns.flatMap(({ group, inFile }) =>
    inFile.map((column) => ({
      ...column,
      name: group === undefined ? column.name : `${group.heading}: ${column.name}`,
    })),
  );
}

/** The changes of parameters that turn the address of a file into the address of the page with the same list. */
const AS_PAGE = { $format: undefined, $decimal: undefined, ...allColumns };

/** Describes the filter in words, without the conditions that belong to the view itself. */
function filterWords({ view, conditions, wording }: Browse): string {
  const own = view === undefined ? [] : ownConditions(view);
  const others = conditions.filter(({ text }) => !own.includes(text));
  return others.map((condition) => describeCondition(condition, wording).words).join('; ');
}

/**
 * Describes the list for the reader of a file: whose list it is, which part of the list the file contains, and when the
 * list was read.
 */
export function aboutList(
  resource: ListResource,
  context: WritingContext,
): { readonly title: string; readonly lines: readonly AboutLine[] } {
  const browse = inHours(resource, context);
  const { texts, language } = browse.wording;
  const { company, readAt } = context;
  const lines: readonly (readonly [string, string | undefined])[] = [
    [texts.list, resource.title[language]],
    [texts.company, resource.source.company && company && `${company.name} (${company.code})`],
    [texts.view, browse.view?.title[language]],
    [texts.period, periodText(resource, context) ?? (resource.inPeriod && texts.allMonths)],
    [texts.compareWith, comparedText(resource, context)],
    [texts.search, writtenIn(context, 'search').trim()],
    [texts.filter, filterWords(browse)],
    [texts.readOn, instantInZone(context, readAt)],
    [texts.address, ownAddress(context, AS_PAGE)],
    [texts.meaning, resource.browsing && meaningOfFigures(resource, browse.wording)],
  ];
  return {
    title: texts.aboutList,
    lines: lines.flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value] as const],
    ),
  };
}
