import { filterFieldsOf, type ListResource, queryFieldsOf } from '@takt/catalogue/resources';
import { someOf } from '@takt/test-support';
import { domainValues, errorMessages, productionTimes } from '../support/resources.js';
import { CANARY, DIGITS } from './canaries.js';
import type { Ways } from './crawler.js';

export const formats = ['json', ...someOf(['jsonstream', 'xml', 'html'] as const)] as const;
export const LIST = productionTimes.path;
export const CATALOGUE = errorMessages.path;
export const DETAIL = '/system/applications/10001/versions/101';

/** Addresses that the test requests for both companies. */
export const TARGETS = [
  ...[LIST, DETAIL, CATALOGUE, `${CATALOGUE}/101015`],
  ...[
    '/product/structure-versions',
    '/product/structure-versions/1',
    '/product/products',
    '/product/products/1',
  ],
  '/product/structure-versions/1/aggregated-production-times',
  '/product/structure-versions/1/aggregated-production-times/months',
  '/product/structure-versions/1/work-order-operations',
  '/product/work-order-operations/1',
  '/product/structure-versions/1/aggregated-production-times/distribution',
  '/product/structure-versions/plan-suggestions',
  '/product/products/aggregated-production-times',
  '/system/saved-views',
  ...['/system/applications', '/system/applications/10001', '/system/applications/10001/versions'],
  ...['/system/users/5', '/system/companies/5', '/system/permissions/5', '/system/sessions/current'],
];

const EVERYWHERE = [
  '$showDomainDescriptions=true',
  '$expand=Keys',
  '$select=*',
  '$lang=deu',
  '$top=0',
  '$select=Nope',
];
/** Addresses that compare two periods, and an address that compares structure versions. */
const COMPARISONS = [
  `${LIST}?compareTo=2026-01`,
  `${LIST}?from=2026-01&compareFrom=2025-12&compareTo=2025-12&$expand=Summary&$orderby=RunTimeChange`,
  '/product/products/aggregated-production-times?compareFrom=2025-12&$expand=Summary,StructureVersions',
  '/product/structure-versions/compare?ids=1,2,3',
];

const IN_LISTS = [
  '$filter=(',
  '$orderby=Nope',
  '$pageKey=x',
  '$skip=3',
  'search=bracket',
  'search=a',
  'search=1',
];

/**
 * Returns addresses that use every route, order, filter, search, selection, format and error. Pages of lists have
 * `rows` rows, so that links lead to all orders and pages.
 */
export function ways(rows: number): Ways {
  const lists = [productionTimes, errorMessages];
  return {
    followed: [
      ...['/', '/?$format=html', '/?$format=xml', '/nothing'],
      ...TARGETS.flatMap((target) => formats.map((format) => `${target}?$format=${format}`)),
      ...lists.flatMap(({ path }) => {
        const size = path === LIST ? rows : 40;
        return formats
          .filter((format) => format !== 'jsonstream')
          .map(
            (format) => `${path}?$format=${format}&$top=${size}&$expand=PagingDetails&$inlinecount=allpages`,
          );
      }),
    ],
    alone: [
      ...['json', 'jsonstream', 'xml'].map((format) => {
        const uris = [...TARGETS, '/nothing'].map(
          (uri, index) => `resource${index}=${encodeURIComponent(uri)}`,
        );
        return `/batch?$format=${format}&${uris.join('&')}`;
      }),
      ...formats.flatMap((format) =>
        ['', '&$top=2', '&$filter=Key%20ne%20null'].map(
          (query) => `${domainValues.path}?object=Product&field=Status&$format=${format}${query}`,
        ),
      ),
      ...lists.flatMap(({ path }) =>
        ['', '&columns=shown', '&columns=shown&view=run'].map((query) => `${path}?$format=csv${query}`),
      ),
      ...COMPARISONS.flatMap((target) => formats.map((format) => `${target}&$format=${format}`)),
      ...TARGETS.flatMap((target) =>
        formats.flatMap((format) => EVERYWHERE.map((query) => `${target}?$format=${format}&${query}`)),
      ),
      // The query has no effect on the format of the rows. Each query therefore runs in JSON and in one other format.
      // The other format changes from query to query.
      ...lists.flatMap((list) =>
        listQueries(list).flatMap((query, index) => {
          const [json, ...others] = formats;
          return [json, others[index % others.length]].map(
            (format) => `${list.path}?$format=${format}&${query}`,
          );
        }),
      ),
    ],
  };
}

function listQueries(list: ListResource): readonly string[] {
  const { ordered, filtered } = namesOf(list);
  return [
    ...IN_LISTS,
    ...ordered.flatMap((name) => [`$top=3&$orderby=${name}`, `$top=$max&$orderby=${name}%20desc`]),
    ...filtered.flatMap((name) => [
      `$filter=${name}%20ne%20null`,
      `$inlinecount=allpages&$filter=${name}%20eq%20null%20or%20true`,
    ]),
  ];
}

function namesOf(list: ListResource): {
  readonly ordered: readonly string[];
  readonly filtered: readonly string[];
} {
  return {
    ordered: [...queryFieldsOf(list).values()].flatMap(({ queryName }) => queryName ?? []),
    filtered: [...filterFieldsOf(list).values()].flatMap(
      ({ queryName, filterName }) => queryName ?? filterName ?? [],
    ),
  };
}

type Named = readonly [target: string, absent: string, changed: readonly [written: string, absent: string]];

/**
 * Returns addresses with identifiers or texts of the other company. Each of them is paired with an address of equal
 * length with unknown identifiers or texts.
 */
export function namedByOthers(): readonly Named[] {
  const absentText = `${CANARY.slice(0, -1)}x`;
  const absentDigits = DIGITS.replace('7', '8');
  const pair = (write: (text: string, digits: string) => string): Named[] =>
    (['json', 'html'] as const).flatMap((format) => {
      const address = (text: string, digits: string) =>
        write(text, digits).replace('?', `?$format=${format}&`);
      const pairs: readonly Named[] = [
        [address(CANARY, DIGITS), address(absentText, DIGITS), [CANARY, absentText]],
        [address(CANARY, DIGITS), address(CANARY, absentDigits), [DIGITS, absentDigits]],
      ];
      // Drops a pair of equal addresses. Such addresses contain no digits or no text to replace.
      return pairs.filter(([target, absent]) => target !== absent);
    });
  const filters = [...filterFieldsOf(productionTimes).values()].flatMap((field) => {
    const name = field.queryName ?? field.filterName ?? '';
    const expressions =
      field.type === 'text'
        ? [
            (text: string) => `contains(${name}, '${text}')`,
            (text: string) => `startswith(${name}, '${text}') or ${name} eq '${text} A'`,
            (text: string) => `${name} in ('${text} Bracket', '${text}')`,
          ]
        : [
            (_: string, digits: string) => `${name} ge ${digits}00`,
            (_: string, digits: string) => `${name} eq ${digits} or ${name} mul 2 gt ${digits}`,
            (_: string, digits: string) => `${name} in (${digits}001, ${digits})`,
          ];
    return expressions.flatMap((expression) =>
      pair(
        (text, digits) =>
          `${LIST}?$inlinecount=allpages&$top=2&$filter=${encodeURIComponent(expression(text, digits))}`,
      ),
    );
  });
  return [
    ...filters,
    ...pair((_, digits) => `/system/applications/10001/versions/${digits}101?`),
    ...pair((_, digits) => `/system/applications/${digits}/versions/101?`),
    ...['users', 'companies', 'permissions'].flatMap((kind) =>
      pair((_, digits) => `/system/${kind}/${digits}?`),
    ),
    ...['product/products', 'product/structure-versions', 'system/applications'].flatMap((kind) =>
      pair((_, digits) => `/${kind}/${digits}010?`),
    ),
    ...pair((_, digits) => `/product/structure-versions/${digits}010/aggregated-production-times/months?`),
    ...pair((_, digits) => `/product/structure-versions/${digits}010/work-order-operations?`),
    ...['/product/products', '/product/structure-versions', '/system/applications'].flatMap((list) =>
      pair((text) => `${list}?search=${text}`),
    ),
    ...pair((text) => `${LIST}?search=${text}`),
    ...pair((text) => `${CATALOGUE}?search=${text}`),
  ];
}
