import { fillPath, itemKeyOf, type ListResource, type Resource } from '@takt/catalogue/resources';
import { type Markup, ready, render, Table } from '@takt/pages';
import type { DetailPage, ListPage, Row, WritingContext } from '../representations/writer.js';
import { AdvancedFilter } from './advanced-filter.js';
import {
  type Browse,
  browseOf,
  filteredAddress,
  hasOverview,
  isOverview,
  openingAddress,
  overviewAddress,
  tickOf,
  viewAddress,
  wordsOf,
} from './browse.js';
import { ColumnChoice } from './column-choice.js';
import { isOfConditionForm } from './condition-operators.js';
import { type ColumnStyle, hasTimes, nameColumn } from './field-columns.js';
import {
  ConditionChips,
  isQuickFilter,
  QuickFilterForm,
  RefusedNote,
  type RefusedText,
} from './filter-forms.js';
import { writePage } from './frame.js';
import { type ListTable, rowFigures, tableOf } from './list-table.js';
import { keyText, namesOf, versionText } from './object-names.js';
import { Overview } from './overview.js';
import { FIRST_PAGE, ownAddress, pageAddress, sharedParameters } from './own-links.js';
import { listPart, objectPart, openedFilter, openedKey, sizeOfPart } from './page-parts.js';
import { countText, Exports, ListPager, PageSizes, UnitChoice } from './pager.js';
import { NewestMonth, PeriodForm, periodText } from './period.js';
import { isSavedViews, SavedNotice, SavedViews, SavedViewsBox } from './saved-views.js';
import { sectionsOf, shownFieldsOf } from './sections.js';
import { isSideBySide, MOST_COMPARED, SideBySide } from './side-by-side.js';
import { shortColumns } from './time-columns.js';
import { Sentence, TotalsSentence } from './totals-sentence.js';
import { fill } from './words.js';

/** Writes a list as a page with views, filters, rows and a pager. */
export function* writeListPage(page: ListPage, context: WritingContext): Iterable<string> {
  const browse = browseOf(page.resource, context);
  if (isSideBySide(browse)) {
    yield writePage({
      title: [browse.wording.texts.sideBySide, periodText(page.resource, context) ?? []].flat().join(' – '),
      context,
      formats: LIST_FORMATS,
      children: <SideBySide page={page} browse={browse} />,
    });
    return;
  }
  if (isSavedViews(browse)) {
    yield writePage({
      title: titleOf(browse),
      context,
      formats: LIST_FORMATS,
      children: (
        <>
          <div class="title">
            <h1>{titleOf(browse)}</h1>
          </div>
          <SavedViews page={page} browse={browse} />
        </>
      ),
    });
    return;
  }
  const title = titleOf(browse);
  const parent = objectPart(page, 'parent');
  const names = parent === undefined ? [] : parentNames(parent, browse);
  yield writePage({
    title: [title, ...names, periodText(page.resource, context) ?? []].flat().join(' – '),
    context,
    formats: LIST_FORMATS,
    children: (
      <>
        <Controls browse={browse} parent={parent} saved={listPart(page, 'savedViews')} />
        {isOverview(page.resource, context) && page.rows.length > 0 ? (
          <Overview page={page} browse={browse} below={openedWriter(page, context)} />
        ) : (
          <Rows page={page} browse={browse} title={title} />
        )}
      </>
    ),
  });
}

/**
 * Writes the page of a list whose parameters are invalid. It shows the entered text, so that the person can correct it.
 */
export function* writeRefusedList(
  resource: ListResource,
  refused: RefusedText,
  context: WritingContext,
): Iterable<string> {
  const browse = browseOf(resource, context);
  const title = titleOf(browse);
  yield writePage({
    title,
    context,
    formats: LIST_FORMATS,
    children: <Controls browse={browse} refused={refused} />,
  });
}

const LIST_FORMATS = ['json', 'xml'];

function titleOf({ resource, context, wording, view }: Browse): string {
  const title = resource.title[wording.language];
  if (isOverview(resource, context)) return `${title}: ${wording.texts.overview}`;
  return view === undefined ? title : `${title}: ${view.title[wording.language]}`;
}

interface ControlsProps {
  readonly browse: Browse;
  readonly refused?: RefusedText;
  /** The object to which the list belongs. */
  readonly parent?: DetailPage | undefined;
  readonly saved?: ListPage | undefined;
}

function Controls({ browse, refused, parent, saved }: ControlsProps): Markup {
  const { resource, wording } = browse;
  const isFirstPage = isOverview(resource, browse.context);
  const isElsewhere =
    refused !== undefined &&
    refused.parameter !== '$filter' &&
    !isOfConditionForm(refused.parameter) &&
    !isQuickFilter(resource, refused.parameter);
  return (
    <>
      <div class="title">
        <h1>{resource.title[wording.language]}</h1>
        <ViewTabs browse={browse} />
      </div>
      {parent !== undefined && <Parent parent={parent} browse={browse} />}
      <SavedNotice saved={saved} browse={browse} />
      <div class="filters">
        <QuickFilterForm browse={browse} refused={refused} />
        <PeriodForm resource={resource} context={browse.context} />
        {!isFirstPage && <AdvancedFilter browse={browse} refused={refused} />}
        <SavedViewsBox saved={saved} browse={browse} />
        {!isFirstPage && refused === undefined && <ConditionChips browse={browse} />}
      </div>
      {isElsewhere && <RefusedNote refused={refused} wording={wording} />}
    </>
  );
}

/** Shows the object to which the rows belong, with a link to the object. */
function Parent({ parent, browse }: { readonly parent: DetailPage; readonly browse: Browse }): Markup {
  const { context } = browse;
  const path = fillPath(parent.resource.path, context.pathParameters);
  return (
    <p class="lead">
      <a href={pageAddress(context, path)}>{parentNames(parent, browse).join(' · ')}</a>
    </p>
  );
}

function parentNames(page: DetailPage, { wording }: Browse): readonly string[] {
  const sections = sectionsOf(page.outline);
  const names = [...namesOf(sections, page), keyText(sections, page), versionText(sections, page, wording)];
  return names.filter((name) => name !== undefined && name !== '') as readonly string[];
}

interface RowsProps {
  readonly page: ListPage;
  readonly browse: Browse;
  readonly title: string;
}

function Rows({ page, browse, title }: RowsProps): Markup {
  const { rows } = page;
  const { texts } = browse.wording;
  const { columns: made, className, legend, notes } = tableOf(page, browse);
  // Headings and pager appear twice on the page. They are written only once, because it takes long to make their
  // addresses.
  const columns = made.map((column) => ({ ...column, heading: written(column.heading) }));
  if (rows.length === 0 || columns.length === 0) return <Nothing page={page} browse={browse} />;
  const pager = written(<ListPager page={page} context={browse.context} />);
  return (
    <>
      <div class="above">
        {legend ?? <Sentence page={page} browse={browse} />}
        <OrderLinks browse={browse} columns={columns} />
        <nav class="pager" aria-label={texts.pages}>
          {pager}
        </nav>
      </div>
      <Chosen
        browse={browse}
        table={
          <Table
            caption={fill(texts.tableOf, title)}
            className={className}
            columns={columns}
            rows={rows}
            below={openedWriter(page, browse.context)}
          />
        }
      />
      {notes}
      <div class="foot">
        <PageSizes page={page} context={browse.context} />
        {showsTimes(browse.resource) && <UnitChoice context={browse.context} />}
        <ColumnChoice browse={browse} />
        <Exports page={page} context={browse.context} />
        <div class="pager">{pager}</div>
      </div>
    </>
  );
}

/** True if the columns of the list are times of operations, which have a unit. */
function showsTimes(resource: ListResource): boolean {
  const { comparisons, browsing } = resource;
  if (browsing === undefined) return hasTimes(resource);
  return comparisons.length > 0 || browsing.figures.some(({ as }) => as === 'hours');
}

/** Returns a function that writes the rows of another list below the expanded row. */
function openedWriter(page: ListPage, context: WritingContext): ((row: Row) => string) | undefined {
  const { outline, resource } = page;
  const opened = listPart(page, 'opened');
  const key = openedKey(resource, context);
  const index = shownFieldsOf(sectionsOf(outline)).get(itemKeyOf(resource))?.index;
  if (opened === undefined || index === undefined) return undefined;
  return (row) =>
    String(row[index]) === key ? render(<Opened of={resource} opened={opened} context={context} />) : '';
}

/**
 * The table of rows. If rows have boxes, the table is inside a form with a button that compares the chosen rows. In
 * views with a drawing in each row, rows have no boxes, because the comparison would be too long.
 */
function Chosen({ browse, table }: { readonly browse: Browse; readonly table: Markup }): Markup {
  const { resource, context, view, wording } = browse;
  const path = resource.browsing?.comparesAt;
  if (path === undefined || view?.comparison !== undefined) return table;
  return (
    <form class="chosen" method="get" action={context.baseUrl + path}>
      {sharedParameters(context, resource.path).map(({ name, value }) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {table}
      <div class="compare-bar" data-most={MOST_COMPARED} data-remove={wording.texts.remove}>
        <button type="submit">{wording.texts.compareChosen}</button>
      </div>
    </form>
  );
}

/**
 * The text that replaces an empty list. If a ticked filter hides rows, the text says so and links to them. After a
 * search it links to similar names.
 */
function Nothing({ page, browse }: Omit<RowsProps, 'title'>): Markup {
  const { newestMonth, similarNames } = page;
  const foundWithoutTick = sizeOfPart(page, 'withoutTick');
  const { conditions, context, view, wording } = browse;
  const { texts, language } = wording;
  const tick = tickOf(browse);
  const hiding = tick?.choice === undefined ? view?.title[language] : wordsOf(tick.choice, wording);
  const others = conditions.filter((other) => other !== tick).map(({ text }) => text);
  return (
    <p class="nothing">
      {texts.nothingFound}
      {hiding !== undefined && foundWithoutTick !== undefined && (
        <>
          {' '}
          <a href={filteredAddress(browse, others)}>
            {fill(texts.showWithout, hiding, countText(foundWithoutTick, language))}
          </a>
        </>
      )}
      {newestMonth !== undefined && (
        <>
          {' '}
          <NewestMonth month={newestMonth} context={context} />
        </>
      )}
      {similarNames !== undefined && (
        <>
          {' '}
          {texts.didYouMean}
          {similarNames.map((name, index) => (
            <>
              {index === 0 ? ' ' : ' · '}
              <a href={ownAddress(context, { ...FIRST_PAGE, search: name })}>{name}</a>
            </>
          ))}
        </>
      )}
    </p>
  );
}

function written(heading: Markup | string): Markup | string {
  return typeof heading === 'string' ? heading : ready(render(heading));
}

/** Links that sort the list. They are for narrow screens, on which the columns have no headings. */
function OrderLinks({ browse, columns }: Pick<ListTable, 'columns'> & { readonly browse: Browse }): Markup {
  return (
    <details class="order">
      <summary>{browse.wording.texts.order}</summary>
      <ul>
        {columns.map(({ group, heading }) => (
          <li>
            {group !== undefined && `${group.heading}: `}
            {heading}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface OpenedProps {
  /** The resource of the page on which the rows are shown. */
  readonly of: Resource;
  readonly opened: ListPage;
  /** The context of the page on which the rows are shown. */
  readonly context: WritingContext;
  /** True to add the title of the list and a sentence with the totals. */
  readonly isHeaded?: boolean;
}

/** Rows of a list that are shown on another page, in short columns. A link leads to the same rows in their own list. */
export function Opened({ of, opened, context, isHeaded = false }: OpenedProps): Markup {
  const { resource, rows, paging } = opened;
  const parameters = sharedParameters(context, resource.path);
  const browse = browseOf(resource, { ...context, path: resource.path, parameters });
  const title = resource.title[context.language];
  const style: ColumnStyle = { browse, shown: shownFieldsOf(sectionsOf(opened.outline)) };
  // These rows have a fixed order, so the headings of their columns are not links.
  const columns = [
    nameColumn(style, { isOpened: true }),
    ...rowFigures(style, opened, true),
    ...resource.comparisons.flatMap((one) => shortColumns(one, rows, style)),
  ].map((column) => ({ ...column, heading: column.label, sorted: undefined }));
  return (
    <div class="opened">
      {isHeaded && <h2>{title}</h2>}
      {isHeaded && <TotalsSentence page={opened} browse={browse} isWithoutPeriod={true} />}
      {rows.length === 0 ? (
        <p>{browse.wording.texts.nothingFound}</p>
      ) : (
        <Table caption={title} className="list figures" columns={columns} rows={rows} />
      )}
      <p>
        <a href={openingAddress(context, resource, openedFilter(of, context) ?? '')}>
          {title} ({countText(paging.size ?? rows.length, context.language)})
        </a>
      </p>
    </div>
  );
}

/** The views of a list as links. Each link keeps the conditions of the present page. */
function ViewTabs({ browse }: { readonly browse: Browse }): Markup | null {
  const { views, resource, context, wording } = browse;
  if (views.length === 0) return null;
  const isFirst = isOverview(resource, context);
  const current = isFirst ? undefined : browse.view;
  return (
    <nav class="tabs" aria-label={wording.texts.views}>
      <ul>
        {hasOverview(resource) && (
          <li>
            <a href={overviewAddress(browse)} aria-current={isFirst ? 'page' : undefined}>
              {wording.texts.overview}
            </a>
          </li>
        )}
        {views.map((view) => (
          <li>
            <a href={viewAddress(browse, view)} aria-current={view === current ? 'page' : undefined}>
              {view.title[wording.language]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
