import { escapeHtml } from '@takt/pages';
import { type Leaf, type ListResource, leavesOf, queryFieldsOf } from '@takt/resources';
import type { Paging, WritingContext } from '../page.js';
import type { Wording } from './languages/eng.js';
import { type Changes, FIRST_PAGE, formAction, hiddenInputs, ownLink, parameterOf } from './own-links.js';
import { fieldHeading, headingOf } from './words.js';

/** Rows per page that are offered, as far as the resource allows them. */
const PAGE_SIZES = [10, 20, 40, 80];

/** A form that asks for a filter, search words, a page size and whether to count; it keeps all other parameters. */
export function filterForm(
  resource: ListResource,
  { pageSize }: Paging,
  context: WritingContext,
  wording: Wording,
): string {
  const { texts } = wording;
  const takesSearch = resource.searched.length > 0;
  const asked: Changes = {
    ...FIRST_PAGE,
    $filter: undefined,
    $top: undefined,
    $inlinecount: undefined,
    ...(takesSearch ? { search: undefined } : {}),
  };
  const name = (canonical: string) => escapeHtml(parameterOf(context, canonical)?.name ?? canonical);
  const value = (canonical: string) => escapeHtml(parameterOf(context, canonical)?.value ?? '');
  const search = takesSearch
    ? `<label>${texts.search} <input type="search" name="${name('search')}" value="${value('search')}"></label>`
    : '';
  const counted = parameterOf(context, '$inlinecount');
  const countsAs = counted?.name.toLowerCase() === '$count' ? 'true' : 'allpages';
  const isCounted = [countsAs, countsAs === 'true' ? '1' : ''].includes(counted?.value.toLowerCase() ?? '-');
  return (
    `<form class="filter" method="get" action="${formAction(context)}">${hiddenInputs(context, asked)}` +
    `<label class="wide">${texts.filter} <input type="text" name="${name('$filter')}" value="${value('$filter')}" ` +
    `placeholder="${escapeHtml(examplesOf(resource)[0] ?? '')}" autocomplete="off" autocapitalize="none" spellcheck="false"></label>${search}` +
    `<label>${texts.pageSize} <select name="${name('$top')}">${sizeOptions(resource, pageSize)}</select></label>` +
    `<label class="check"><input type="checkbox" name="${name('$inlinecount')}" value="${countsAs}"${isCounted ? ' checked' : ''}> ${texts.countAll}</label>` +
    `<button type="submit">${texts.apply}</button>${clearLink(context, wording)}</form>${filterHelp(resource, wording)}`
  );
}

/** Where something is filtered, a way back to everything. */
function clearLink(context: WritingContext, { texts }: Wording): string {
  const isFiltered = ['$filter', 'search'].some((name) => (parameterOf(context, name)?.value ?? '') !== '');
  const href = ownLink(context, { ...FIRST_PAGE, $filter: undefined, search: undefined });
  return isFiltered ? `<a class="clear" href="${href}">${texts.clear}</a>` : '';
}

function sizeOptions({ maximumPageSize }: ListResource, pageSize: number): string {
  const sizes = new Set([...PAGE_SIZES.filter((size) => size <= maximumPageSize), pageSize]);
  return [...sizes]
    .sort((one, other) => one - other)
    .map((size) => `<option${size === pageSize ? ' selected' : ''}>${size}</option>`)
    .join('');
}

/** Filters that this resource understands, made of its own fields. */
function examplesOf(resource: ListResource): readonly string[] {
  const fields = [...queryFieldsOf(resource).values()];
  const compared = resource.comparisons.flatMap(({ average, planned }) =>
    average === undefined || planned === undefined ? [] : `${average.queryName} gt ${planned.queryName}`,
  );
  const texts = fields.filter(({ type, domain }) => type === 'text' && domain === undefined);
  const integers = fields.filter(({ type }) => type === 'integer');
  return [
    ...compared.slice(0, 1),
    ...texts.slice(-1).map(({ queryName }) => `contains(${queryName}, 'a')`),
    ...integers.slice(-1).map(({ queryName }) => `${queryName} ge 100`),
  ];
}

function filterHelp(resource: ListResource, wording: Wording): string {
  const { texts } = wording;
  const examples = examplesOf(resource).map((example) => `<li><code>${escapeHtml(example)}</code></li>`);
  const rows = leavesOf(resource.fields)
    .map((leaf) => helpRow(leaf, wording))
    .filter((row) => row !== '');
  if (rows.length === 0) return '';
  return (
    `<details class="help"><summary>${texts.filterHelp}</summary><p>${texts.filterHint}</p>` +
    `<p>${texts.examples}</p><ul>${examples.join('')}</ul>` +
    `<table class="items"><thead><tr><th scope="col">${texts.field}</th><th scope="col">${texts.type}</th><th scope="col">${texts.meaning}</th></tr></thead>` +
    `<tbody>${rows.join('')}</tbody></table></details>`
  );
}

const AMBIGUOUS_NAMES = ['Name', 'Status'];

/** Empty for what cannot be filtered. A name is explained by what it names: ProductName is that of the Product. */
function helpRow({ node, group }: Leaf, wording: Wording): string {
  if (node.kind !== 'field') return '';
  const queryName = node.queryName ?? node.filterName;
  if (queryName === undefined) return '';
  const named = AMBIGUOUS_NAMES.includes(node.name) ? group : undefined;
  const meaning = named === undefined ? '' : `${headingOf(named, wording)}: `;
  return `<tr><th scope="row"><code>${queryName}</code></th><td>${node.type}</td><td>${meaning}${fieldHeading(node, wording)}</td></tr>`;
}
