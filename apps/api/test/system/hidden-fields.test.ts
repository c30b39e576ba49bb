import { type Duty, duties as everyDuty } from '@takt/access';
import {
  expandableIn,
  jsonName,
  type Leaf,
  leavesOf,
  newestOf,
  queryFieldsOf,
  type Resource,
  type ResourceFamily,
  resourceFamilies,
  restrictFamily,
} from '@takt/catalogue/resources';
import type { Database } from '@takt/database';
import { someOf, testLength } from '@takt/test-support';
import { expect } from 'chai';
import { type HiddenName, hiddenNamesOf, namingQueries } from '../access/hidden-names.js';
import { EVERYTHING } from '../computed/told-resource.js';
import { comparable, type HttpAnswer, type HttpHeaders } from '../support/http-client.js';
import {
  insertApplicationVersion,
  insertMonths,
  insertOperations,
  insertStructureVersions,
} from '../support/insert-rows.js';
import { jsonAt } from '../support/json-at.js';
import { type ServedApi, serveApi } from '../support/serve-api.js';
import { changeColumn, STORED, storedAs } from './change-column.js';

const formats = ['json', ...someOf(['jsonstream', 'xml', 'html'] as const)] as const;

/**
 * Returns all items for JSON and the first few items for other formats, because the API parses a query before it
 * considers the format.
 */
function some<Item>(format: (typeof formats)[number], items: readonly Item[], few: number): readonly Item[] {
  return format === 'json' ? items : items.slice(0, few);
}

/**
 * All queries use the first two spellings of the name of a field. Only every TURNS-th query uses a further spelling.
 * The first such query differs between fields and spellings.
 */
const TURNS = Math.max(1, Math.round(3 / testLength()));
const WHOLE_NAMES = 2;

/**
 * Returns the queries to run for one spelling of a name. The spelling with index 0 is the flat name. All fields
 * together run each query with each spelling.
 */
function turnOf<Query>(queries: readonly Query[], way: number, hidden: HiddenField): readonly Query[] {
  const turn = way + hiddenFields.indexOf(hidden);
  return way < WHOLE_NAMES ? queries : queries.filter((_, index) => (index + turn) % TURNS === 0);
}

/** Addresses of existing objects by the identifiers of their resources. */
const TARGETS: Readonly<Record<number, string>> = {
  6215: '/product/structure-versions/aggregated-production-times',
  9003: '/product/structure-versions',
  9004: '/product/structure-versions/2',
  9005: '/product/structure-versions/2/aggregated-production-times',
  9018: '/product/structure-versions/2/work-order-operations',
  9002: '/product/products/2',
  9017: '/product/products/aggregated-production-times',
  9023: '/product/products/aggregated-production-times/months',
  132: '/system/error-messages',
  133: '/system/error-messages/101015',
  2578: '/system/applications/10001/versions/101',
};

interface HiddenField {
  readonly resource: Resource;
  readonly leaf: Leaf;
  readonly name: string;
  readonly target: string;
}

const hiddenFields: readonly HiddenField[] = resourceFamilies.map(newestOf).flatMap((resource) =>
  leavesOf(resource.fields)
    .filter(({ duties }) => duties.length > 0)
    .map((leaf) => ({
      resource,
      leaf,
      name: `${resource.identifier} ${leaf.path.join('.')}`,
      target: targetOf(resource),
    })),
);

function targetOf({ identifier }: Resource): string {
  return TARGETS[identifier] ?? '';
}

/**
 * True if no earlier hidden field has the same column and the same duties. Queries without the name of a hidden field
 * give the same answers for all fields of a column, so they run only once.
 */
function isFirstOfItsColumn({ name, leaf }: HiddenField): boolean {
  const { table, column } = storedAs(name);
  const first = hiddenFields.find((other) => {
    const stored = storedAs(other.name);
    return (
      stored.table === table && stored.column === column && other.leaf.duties.join() === leaf.duties.join()
    );
  });
  return first?.name === name;
}

/** Returns queries of a resource that name no hidden field. */
function openQueries(resource: Resource): readonly string[] {
  const shown = leavesOf(resource.fields).filter(({ duties }) => duties.length === 0);
  const paths = shown.map(({ path }) => path.join('.'));
  const shared = [
    ...['', '$lang=deu', '$showDomainDescriptions=true', '$select=*', '$filter=(', '$useMinimumVersion=99'],
    ...[paths[0], paths.at(-1)].map((path) => `$select=${path}`),
    `$select=${paths.join()}`,
  ];
  if (resource.kind === 'detail') return shared;
  const shownNodes = new Set(shown.map(({ node }) => node));
  const names = [...queryFieldsOf(resource).values()].flatMap((field) =>
    shownNodes.has(field) ? (field.queryName ?? []) : [],
  );
  return [
    ...shared,
    ...['$top=3&$inlinecount=allpages', '$top=2&$skip=3', '$top=0', '$top=$max', '$count=true&$top=1'],
    ...placesWithin(resource),
    ...['$expand=PagingDetails', 'search=7', 'search=1', 'search=zebedee', '$pageKey=x'],
    ...names.flatMap((name) => [
      `$top=4&$orderby=${name}`,
      `$top=4&$orderby=${name}%20desc&$expand=PagingDetails`,
      `$top=2&$inlinecount=allpages&$filter=${name}%20ne%20null`,
    ]),
  ];
}

const familyOf = (wanted: number): ResourceFamily => {
  const found = resourceFamilies.find(({ identifier }) => identifier === wanted);
  if (found === undefined) throw new Error(`there is no resource ${wanted}`);
  return found;
};

/**
 * Returns queries that add rows of another list to the answer. They use only names that are open to every reader of the
 * resource.
 */
function placesWithin(resource: Resource): readonly string[] {
  const shown = newestOf(restrictFamily(familyOf(resource.identifier), ['read-production-times']));
  const opened = resource.opens === undefined ? [] : ['open=2', '$orderby=ProductName&open=3'];
  return [...expandableIn(shown).map(({ expandedBy }) => `$expand=${expandedBy}`), ...opened];
}

describe('a field that needs a duty', () => {
  let one: ServedApi;
  let other: ServedApi;
  /** Tokens of both databases: one with all duties, and one without each duty. */
  const tokens = new Map<string, string>();

  before(async () => {
    [one, other] = await Promise.all([serveApi(), serveApi()]);
    for (const api of [one, other]) {
      await insertRows(api.owner);
      for (const duty of ['none', ...everyDuty] as const) {
        const duties: readonly Duty[] = everyDuty.filter((held) => held !== duty);
        tokens.set(tokenName(api, duty), await api.createToken('TEM-NO', { duties }));
      }
    }
  });
  after(async () => await Promise.all([one?.close(), other?.close()]));

  const tokenName = (api: ServedApi, missing: Duty | 'none') => `${api === one} ${missing}`;
  const ask = (api: ServedApi, missing: Duty | 'none', target: string, headers: HttpHeaders = {}) =>
    api.client.get(target, {
      ...headers,
      'x-request-id': 'r-1',
      authorization: `Bearer ${tokens.get(tokenName(api, missing))}`,
    });
  const missingDuty = ({ leaf }: HiddenField): Duty => {
    const [duty] = leaf.duties;
    if (duty === undefined) throw new Error('it needs a duty');
    return duty;
  };

  /** Requests the address from both databases, expects equal answers, and returns the first answer. */
  const askBoth = async (missing: Duty, target: string, headers: HttpHeaders = {}): Promise<HttpAnswer> => {
    const [first, second] = await Promise.all([one, other].map((api) => ask(api, missing, target, headers)));
    if (first === undefined || second === undefined) throw new Error('both answer');
    expect(comparable(second), target).to.deep.equal(comparable(first));
    return first;
  };

  it('has an entry in STORED and an address in this test', () => {
    expect(hiddenFields.map(({ name }) => name).sort()).to.deep.equal(Object.keys(STORED).sort());
    expect(hiddenFields.map(({ target }) => target)).not.to.include('');
  });

  for (const hidden of hiddenFields) {
    const { name, resource, target } = hidden;
    const missing = missingDuty(hidden);
    // One format suffices for the other fields of a column, because all formats are written from the same restricted
    // resource.
    const naming = isFirstOfItsColumn(hidden) ? formats : formats.slice(0, 1);

    describe(name, () => {
      let restore: () => Promise<void>;
      before(async () => {
        restore = await changeColumn(other.owner, storedAs(name));
      });
      after(async () => await restore?.());

      it('has different values in the two databases of this test, and readers with the duty see the difference', async () => {
        const all = resource.kind === 'list' ? '&$top=$max' : '';
        const expandable = expandableIn(resource).map(({ expandedBy }) => expandedBy);
        const expand = expandable.length === 0 ? '' : `&$expand=${[...new Set(expandable)].join()}`;
        const wanted = `${all}&$select=${hidden.leaf.path.join('.')}${expand}`;
        for (const format of formats) {
          // The HTML page of a list is skipped. It shows only the columns of its view, whereas the page of a row shows
          // all columns.
          if (format === 'html' && resource.kind === 'list' && resource.browsing !== undefined) continue;
          const asked = `${target}?$format=${format}${wanted}`;
          const [first, second] = await Promise.all([one, other].map((api) => ask(api, 'none', asked)));
          expect(first?.status).to.equal(200);
          expect(first?.text, format).not.to.equal(second?.text);
          expect(first?.headers.etag, format).not.to.equal(second?.headers.etag);
        }
      });

      if (isFirstOfItsColumn(hidden)) {
        it('has no effect on queries without its name if the reader lacks the duty', async () => {
          for (const format of formats) {
            for (const [index, query] of some(format, openQueries(resource), 24).entries()) {
              const asked = `${target}?$format=${format}&${query}`;
              const { headers } = await askBoth(missing, asked);
              if (headers.etag === undefined || index % TURNS > 0) continue;
              const again = await askBoth(missing, asked, { 'if-none-match': headers.etag });
              expect(again.status, asked).to.equal(304);
            }
            await askBoth(missing, `${target}?$format=${format}`, { 'accept-encoding': 'gzip' });
          }
          for (const [identifier, elsewhere] of Object.entries(TARGETS)) {
            const queries = ['', ...placesWithin(newestOf(familyOf(Number(identifier))))];
            for (const format of formats) {
              for (const query of queries) await askBoth(missing, `${elsewhere}?$format=${format}&${query}`);
            }
          }
        });

        it('has no effect on the pages of a list if the reader lacks the duty', async () => {
          if (resource.kind === 'detail') return;
          for (const start of [
            '$top=3',
            '$top=3&$orderby=ErrorMessageId%20desc',
            '$top=3&$orderby=AverageRunTime',
          ]) {
            let next: unknown = `${target}?$format=json&$expand=PagingDetails&${start}`;
            while (typeof next === 'string') {
              const { text } = await askBoth(missing, next);
              next = pathOf(jsonAt(JSON.parse(text), 'paging.nextPage'));
            }
          }
        });
      }

      it('is missing from the metadata of the resource if the reader lacks the duty', async () => {
        const address = `/metadata?uri=${encodeURIComponent(resource.path)}&${EVERYTHING}`;
        for (const format of formats) {
          const { text } = await askBoth(missing, `${address}&$format=${format}`);
          if (format !== 'json') continue;
          const all = await ask(one, 'none', address);
          const path = hidden.leaf.path.map(jsonName).join('.');
          expect(JSON.parse(all.text).metadata.responseFields).to.satisfy(hasPath(path));
          expect(JSON.parse(text).metadata.responseFields).not.to.satisfy(hasPath(path));
          const names = hiddenNamesOf(resource, hidden.leaf).filter((one) => !one.isShownElsewhere);
          for (const { written } of names) expect(text.includes(`"${written}"`), written).to.equal(false);
        }
      });

      it('has no effect on queries with its name if the reader lacks the duty', async () => {
        for (const format of naming) {
          const names = some(format, hiddenNamesOf(resource, hidden.leaf), 1);
          for (const [way, { written }] of names.entries()) {
            for (const query of turnOf(namingQueries(resource, written), way, hidden)) {
              await askBoth(missing, `${target}?$format=${format}&${query}`);
            }
          }
        }
      });

      it('is not revealed by page keys from a person with the duty', async () => {
        if (resource.kind === 'detail') return;
        const [flat] = hiddenNamesOf(resource, hidden.leaf);
        const asked = [
          '$top=3',
          ...['', '%20desc'].map((direction) => `$top=3&$orderby=${flat?.written}${direction}`),
        ];
        for (const query of [...asked, `$top=3&$filter=${flat?.written}%20ne%20null`]) {
          for (const api of [one, other]) {
            const privileged = await ask(api, 'none', `${target}?$expand=PagingDetails&${query}`);
            const keys = ['first', 'next', 'last'].map((page) =>
              jsonAt(JSON.parse(privileged.text), `paging.${page}PageKey`),
            );
            expect(new Set(keys), query).to.have.lengthOf(3);
            for (const key of keys) {
              for (const format of naming) {
                await askBoth(missing, `${target}?$format=${format}&${query}&$pageKey=${key}`);
                await askBoth(missing, `${target}?$format=${format}&$top=3&$pageKey=${key}`);
              }
            }
          }
        }
      });
    });

    it(`gets the same error as an unknown name if the reader lacks the duty: ${name}`, async () => {
      let compared = 0;
      for (const format of naming) {
        const names = hiddenNamesOf(resource, hidden.leaf).filter(
          ({ isShownElsewhere }) => !isShownElsewhere,
        );
        for (const [way, hiddenName] of some(format, names, 1).entries()) {
          const language = format === 'html' ? 'pol' : 'eng';
          const address = `${target}?$format=${format}&$lang=${language}`;
          compared += await compareWithAbsent(hiddenName, way, address);
        }
      }
      expect(compared).to.be.greaterThan(5 * naming.length);
    });

    const compareWithAbsent = async (name: HiddenName, way: number, address: string) => {
      const { written, absent, absentPart, part } = name;
      const absentQueries = namingQueries(resource, absent);
      const queries = namingQueries(resource, written);
      const all = queries.map((query, index) => [query, absentQueries[index]] as const);
      const pairs = turnOf(all, way, hidden);
      for (const [query, absentQuery] of pairs) {
        const [named, unnamed] = await Promise.all([
          ask(one, missing, `${address}&${query}`),
          ask(one, missing, `${address}&${absentQuery}`),
        ]);
        expect(named.status, query).to.equal(400);
        const told = JSON.stringify(comparable(unnamed)).replaceAll(absentPart, part);
        expect(JSON.stringify(comparable(named)), query).to.equal(told);
      }
      return pairs.length;
    };
  }
});

const hasPath = (wanted: string) => (fields: readonly { readonly path: string }[]) =>
  fields.some(({ path }) => path === wanted);

const pathOf = (link: unknown): string | undefined =>
  typeof link === 'string' ? link.replace(/^https:\/\/[^/]+/, '') : undefined;

type Pool = Database['pool'];

const ROWS = 13;

/** Inserts the rows of this test. Both databases get the same rows. */
async function insertRows(owner: Pool): Promise<void> {
  await insertStructureVersions(
    owner,
    Array.from({ length: ROWS }, (_, index) => ({
      id: 1 + index,
      productId: 1 + (index % 4),
      productName: `Bracket ${index % 4}`,
      planned: { run: index % 3 === 0 ? null : `${index}.25`, setup: '0.5', cleanup: `${index % 5}.000001` },
      actual: {
        // The operations are so many that a different plan changes the verdict.
        run: Array.from({ length: index % 9 }, (_, turn) => `${turn + index}.5`),
        setup: ['0.25'],
        cleanup: ['0.125'],
      },
    })),
  );
  await insertMonths(
    owner,
    ['2025-12', '2026-01', '2026-02'].map((month, index) => ({
      structureVersionId: 2,
      month,
      completed: 1 + index,
    })),
  );
  // The changed database has no plan for this one, so sums of planned kinds of time differ.
  await insertMonths(owner, [{ structureVersionId: 8, month: '2026-02', completed: 2 }]);
  // The months also have figures for setup and cleanup times.
  await owner.query(
    `UPDATE takt.monthly_figures SET setup_time_count = 2, setup_time_sum = 3, setup_time_sum_of_squares = 5,
       cleanup_time_count = 1, cleanup_time_sum = 2, cleanup_time_sum_of_squares = 4`,
  );
  await insertOperations(
    owner,
    Array.from({ length: 9 }, (_, index) => ({
      id: 1 + index,
      structureVersionId: 2,
      run: `${index % 4}.5`,
      setup: `${index % 3}.25`,
      cleanup: `${index % 2}.125`,
    })),
  );
  await insertApplicationVersion(owner, {
    ...{ application_id: 10_001, application_version_id: 101, status: 4, scope: 'GLOBAL' },
    ...{ created_by_user_id: 7, created_by_first_name: 'Kari', created_by_name: 'Nordmann' },
    ...{ changed_by_user_id: 8, changed_by_first_name: 'Ola', changed_by_name: 'Nordmann' },
  });
}
