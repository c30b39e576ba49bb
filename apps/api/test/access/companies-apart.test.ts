import { filterFieldsOf, type ListResource, queryFieldsOf } from '@takt/resources';
import { expect } from 'chai';
import { encodePageKey, type PageStart } from '../../src/query/page-key.js';
import { createStatementCache, type StatementOf } from '../../src/query/statement-cache.js';
import { planOf } from '../harness/ask.js';
import { comparable, type HttpAnswer, type HttpClient, type HttpHeaders } from '../harness/http-client.js';
import { insertApplicationVersion, insertStructureVersions } from '../harness/insert-rows.js';
import { jsonAt } from '../harness/json-at.js';
import { COMPANY, OTHER_COMPANY } from '../harness/open-test-api.js';
import { errorMessages, productionTimes } from '../harness/resources.js';
import { type ServedApi, type ServedDifferently, serveApi } from '../harness/serve-api.js';
import { crawl, type Visit, type Ways } from './crawler.js';

/** Stands in every text of the other company, its name and code among them. */
const CANARY = 'kanarienvogel';
/** Begin every number of it. */
const DIGITS = '76543';
const CANARIES = new RegExp(`${CANARY}|${[...DIGITS].join('\\.?')}`, 'i');

/** Rows of each company: a size tells of the other one too. */
const OWN_ROWS = 7;
const OTHER_ROWS = 23;

const formats = ['json', 'jsonstream', 'xml', 'html'] as const;
const LIST = productionTimes.path;
const CATALOGUE = errorMessages.path;
const DETAIL = '/system/applications/10001/versions/101';

/** What is asked of both companies alike. */
const TARGETS = [LIST, DETAIL, CATALOGUE, `${CATALOGUE}/101015`];

describe('companies, seen by each other', function () {
  this.timeout(180_000);
  let api: ServedApi;
  let token: string;
  let othersToken: string;

  before(async () => {
    api = await serveApi();
    await insertRows(api);
    token = await api.createToken('TEM-NO');
    othersToken = await api.createToken(CANARY.toUpperCase());
  });
  after(async () => await api?.close());

  it('are told apart by every text that is stored for a company', async () => {
    for (const { table, column } of await companyTexts(api)) {
      const { rows } = await api.owner.query<{ others: string; own: string }>(
        `SELECT count(*) FILTER (WHERE company_id = $1 AND ${column} ILIKE $3) AS others,
           count(*) FILTER (WHERE company_id = $2 AND ${column} ILIKE $3) AS own FROM takt.${table}`,
        [OTHER_COMPANY, COMPANY, `%${CANARY}%`],
      );
      expect(Number(rows[0]?.others), `${table}.${column}`).to.be.greaterThan(0);
      expect(Number(rows[0]?.own), `${table}.${column}`).to.equal(0);
    }
  });

  it('meet their own canaries: the crawl goes everywhere', async () => {
    const visits = await crawl(api.client, othersToken, ways(10));
    const met = visits.filter((visit) => findCanaries(visit).length > 0);
    for (const format of formats) {
      for (const target of [LIST, DETAIL]) {
        const seen = met.filter((visit) => visit.target.startsWith(`${target}?$format=${format}`));
        expect(seen, `${target} ${format}`).not.to.have.lengthOf(0);
      }
    }
    const texts = visits.map(({ answer }) => answer.text).join();
    for (const served of servedCanaries()) expect(texts, served).to.include(served);
  });

  const variants: readonly {
    readonly name: string;
    readonly isByDatabaseAlone: boolean;
    readonly changes: () => ServedDifferently;
  }[] = [
    { name: 'as the service asks', isByDatabaseAlone: false, changes: () => ({}) },
    {
      name: 'with no company in any statement, so by the database alone',
      isByDatabaseAlone: true,
      changes: () => ({ statementOf: withoutCompany() }),
    },
  ];

  for (const { name, isByDatabaseAlone, changes } of variants) {
    describe(name, () => {
      let client: HttpClient;
      let close: () => Promise<void>;

      before(async function () {
        if (isByDatabaseAlone && !(await hasPolicies(api))) this.skip();
        ({ client, close } = await api.serveBeside(changes()));
      });
      after(async () => await close?.());

      const ask = (target: string, headers: HttpHeaders = {}) =>
        client.get(target, { ...headers, 'x-request-id': 'r-1', authorization: `Bearer ${token}` });
      const askAsOther = (target: string) =>
        client.get(target, { 'x-request-id': 'r-1', authorization: `Bearer ${othersToken}` });

      it('meet none of each other on any route, page, order, filter, search, link or error', async () => {
        const visits = await crawl(client, token, ways(3));
        expect(visits.length).to.be.greaterThan(500);
        const successes = visits.filter(({ answer }) => answer.status === 200);
        expect(successes.length).to.be.greaterThan(400);
        expect(visits.flatMap(findCanaries)).to.deep.equal([]);
        const again = successes.filter(
          ({ answer }, index) => answer.headers.etag !== undefined && index % 5 === 0,
        );
        for (const { target, answer } of again) {
          const kept = await ask(target, { 'if-none-match': String(answer.headers.etag) });
          expect(kept.status, target).to.equal(304);
          expect(findCanaries({ target, answer: kept })).to.deep.equal([]);
        }
      });

      it('count their own rows alone', async () => {
        for (const filter of ['', '&$filter=true', '&$filter=ProductName%20ne%20null']) {
          const { text } = await ask(`${LIST}?$inlinecount=allpages&$top=2${filter}`);
          expect(jsonAt(JSON.parse(text), 'paging.size'), filter).to.equal(OWN_ROWS);
        }
      });

      it('are as absent as what there is not, whoever names what is theirs', async () => {
        for (const [target, absent, changed] of namedByOthers()) {
          const [named, unnamed] = await Promise.all([ask(target), ask(absent)]);
          const told = withoutKeys(unnamed).replaceAll(changed[1], changed[0]);
          expect(withoutKeys(named), target).to.equal(told);
        }
      });

      it('cannot tell a company that is not theirs from one that there is not', async () => {
        for (const target of TARGETS) {
          for (const format of formats) {
            const [foreign, absent] = await Promise.all(
              [CANARY, `${CANARY.slice(0, -1)}x`].map((code) =>
                ask(`${target}?$format=${format}&$db=${code}`),
              ),
            );
            if (foreign === undefined || absent === undefined) throw new Error('both answer');
            expect(foreign.status).to.equal(403);
            const told = JSON.stringify(comparable(absent)).replaceAll(`${CANARY.slice(0, -1)}x`, CANARY);
            expect(JSON.stringify(comparable(foreign)), target).to.equal(told);
          }
        }
      });

      it("cannot tell each other's page keys from those of a company that there is not", async () => {
        for (const query of ['$top=2', '$top=2&$orderby=ProductName', '$top=2&$orderby=RunTime%20desc']) {
          const { text } = await askAsOther(`${LIST}?$expand=PagingDetails&${query}`);
          const keys = ['first', 'next', 'last'].map((page) =>
            String(jsonAt(JSON.parse(text), `paging.${page}PageKey`)),
          );
          expect(new Set(keys)).to.have.lengthOf(3);
          const absentKeys = await keysOfNobody(query);
          for (const format of formats) {
            const answers: string[] = [];
            for (const key of [...keys, ...absentKeys]) {
              const answer = await ask(`${LIST}?$format=${format}&${query}&$pageKey=${key}`);
              expect(answer.status).to.equal(400);
              answers.push(withoutKeys(answer));
            }
            expect(new Set(answers), query).to.have.lengthOf(1);
          }
        }
      });

      it("take each other's entity tags for what they are: unknown, unless the document is the same", async () => {
        for (const target of TARGETS) {
          for (const format of formats) {
            const asked = `${target}?$format=${format}`;
            const [own, others] = await Promise.all([ask(asked), askAsOther(asked)]);
            const { status } = await ask(asked, { 'if-none-match': String(others.headers.etag) });
            const isShared = own.headers.etag === others.headers.etag;
            expect(status, asked).to.equal(isShared ? 304 : 200);
            // The catalogue is the same for everybody; a page names the company.
            expect(isShared, asked).to.equal(target.startsWith(CATALOGUE) && format !== 'html');
          }
        }
      });
    });
  }

  it('would be met if neither statements nor database kept them apart', async () => {
    const { client, close } = await api.serveBeside({ statementOf: withoutCompany(), pool: api.owner });
    const visits = await crawl(client, token, {
      followed: [],
      alone: [`${LIST}?$format=json&$top=80`, `${LIST}?$format=html&$top=80`],
    });
    await close();
    expect(visits.flatMap(findCanaries)).not.to.have.lengthOf(0);
  });
});

const EVERYWHERE = ['$showDomainDescriptions=true', '$select=*', '$lang=deu', '$top=0', '$select=Nope'];
const IN_LISTS = [
  '$filter=(',
  '$orderby=Nope',
  '$pageKey=x',
  '$skip=3',
  'search=bracket',
  'search=a',
  'search=1',
];

/** Every route, order, filter, search, selection, format and error; orders and pages of so many rows by their links. */
function ways(rows: number): Ways {
  const lists = [productionTimes, errorMessages];
  return {
    followed: [
      ...['/', '/?$format=html', '/?$format=xml', '/nothing'],
      ...TARGETS.flatMap((target) => formats.map((format) => `${target}?$format=${format}`)),
      ...lists.flatMap(({ path }) => {
        const size = path === LIST ? rows : 40;
        return ['json', 'xml', 'html'].map(
          (format) => `${path}?$format=${format}&$top=${size}&$expand=PagingDetails&$inlinecount=allpages`,
        );
      }),
    ],
    alone: [
      ...TARGETS.flatMap((target) =>
        formats.flatMap((format) => EVERYWHERE.map((query) => `${target}?$format=${format}&${query}`)),
      ),
      ...lists.flatMap((list) =>
        formats.flatMap((format) =>
          listQueries(list).map((query) => `${list.path}?$format=${format}&${query}`),
        ),
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

/** Addresses that name what the other company has, each with one of its length that names what nobody has. */
function namedByOthers(): readonly Named[] {
  const absentText = `${CANARY.slice(0, -1)}x`;
  const absentDigits = DIGITS.replace('7', '8');
  const pair = (write: (text: string, digits: string) => string): Named[] =>
    (['json', 'html'] as const).flatMap((format) => {
      const address = (text: string, digits: string) =>
        write(text, digits).replace('?', `?$format=${format}&`);
      return [
        [address(CANARY, DIGITS), address(absentText, DIGITS), [CANARY, absentText]],
        [address(CANARY, DIGITS), address(CANARY, absentDigits), [DIGITS, absentDigits]],
      ];
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
    ...pair((text) => `${LIST}?search=${text}`),
    ...pair((text) => `${CATALOGUE}?search=${text}`),
  ];
}

/** What has to be the same: all but entity tags and page keys, which stand for what was asked, and lengths of keys. */
function withoutKeys(answer: HttpAnswer): string {
  const { status, headers, body } = comparable(answer);
  const { etag: _, 'content-length': __, ...others } = headers;
  return JSON.stringify({ status, others, body: body.replace(/(pageKey=)[\w-]+/gi, '$1') });
}

/** Page keys that a company would have which there is not. */
async function keysOfNobody(query: string): Promise<readonly string[]> {
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const { question } = planOf(productionTimes, parameters, {}, 4_711);
  if (question.kind !== 'list') throw new Error('a list is planned as a list');
  const boundary = question.order.map(({ field }) => (field.type === 'text' ? 'Bracket' : 3));
  const starts: readonly PageStart[] = [
    { kind: 'first' },
    { kind: 'after', boundary, position: 3 },
    { kind: 'last' },
  ];
  return starts.map((start) => encodePageKey(start, question.keyed));
}

/** Where a canary stands in an answer: in its text, in a header, or inside a page key. */
function findCanaries({ target, answer }: Visit): readonly string[] {
  const keys = answer.text.match(/[\w-]{40,}/g) ?? [];
  const places = {
    text: answer.text,
    headers: JSON.stringify(answer.headers),
    keys: keys.map((key) => Buffer.from(key, 'base64url').toString('latin1')).join(' '),
  };
  return Object.entries(places).flatMap(([place, text]) => {
    const [found] = CANARIES.exec(text) ?? [];
    return found === undefined ? [] : [`${found} in the ${place} of ${target}`];
  });
}

const COMPANY_CONDITION = /[\w".]+"company_id" = (\$\d+)::integer/g;

/** Statements that ask for the rows of every company, with the same values. */
function withoutCompany(): StatementOf {
  const statementOf = createStatementCache();
  return (shape) => {
    const statement = statementOf(shape);
    const text = statement.text.replaceAll(COMPANY_CONDITION, '$1::integer IS NOT NULL');
    const isLeft = text === statement.text && /company_id/.test(text);
    if (isLeft) throw new Error(`a company is asked for: ${text}`);
    // Under its name a connection knows the statement as it was.
    return { ...statement, text, name: undefined };
  };
}

async function hasPolicies({ owner }: ServedApi): Promise<boolean> {
  const { rows } = await owner.query<{ readonly forced: boolean }>(
    `SELECT relrowsecurity AS forced FROM pg_class WHERE oid = 'takt.product_structure_versions'::regclass`,
  );
  return rows[0]?.forced === true;
}

interface TextColumn {
  readonly table: string;
  readonly column: string;
}

/** Every column of text that belongs to a company and may be read by the API. */
async function companyTexts({ owner }: ServedApi): Promise<readonly TextColumn[]> {
  const { rows } = await owner.query<TextColumn>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns texts
     WHERE table_schema = 'takt' AND data_type = 'text' AND is_generated = 'NEVER' AND column_name <> 'code'
       AND has_column_privilege('takt_api', format('takt.%I', table_name), column_name, 'SELECT')
       AND EXISTS (SELECT FROM information_schema.columns keys WHERE keys.table_schema = 'takt'
         AND keys.table_name = texts.table_name AND keys.column_name = 'company_id')`,
  );
  expect(rows.length).to.be.greaterThan(20);
  return rows;
}

const DEVIATION = 7.65432;

/** Some of what the other company is served: a kind of each. */
const servedCanaries = (): readonly string[] => [
  ...[`${CANARY} Bracket`, `${CANARY} K`, `${CANARY} Structure`, `${CANARY} Board`, `${CANARY} Kari`],
  ...[`${DIGITS}001`, `${DIGITS}.25`, String(DEVIATION), `:${DIGITS},`, `${CANARY} Other`],
];

/** Some rows of both companies have the same identifiers; everything else of the other one is a canary. */
async function insertRows(api: ServedApi): Promise<void> {
  const { owner } = api;
  const longest = (Number(DIGITS) + 2 * DEVIATION).toFixed(5);
  await insertStructureVersions(owner, [
    ...Array.from({ length: OWN_ROWS }, (_, index) => ({
      id: 1 + index,
      productName: `Bracket ${index}`,
      productDescription: 'Welded',
      planned: { run: index === 0 ? null : `1.${index}`, setup: '0.5', cleanup: '0.25' },
      actual: { run: ['1.5', '2.5'], setup: ['0.5'], cleanup: ['0.125'] },
    })),
    ...Array.from({ length: OTHER_ROWS }, (_, index) => ({
      companyId: OTHER_COMPANY,
      id: index < 3 ? 1 + index : Number(`${DIGITS}${String(index).padStart(3, '0')}`) - 2,
      productName: `Bracket ${index}`,
      productDescription: 'Welded',
      status: Number(DIGITS),
      version: Number(DIGITS),
      productStatus: Number(DIGITS),
      completed: 2,
      planned: { run: `${DIGITS}.25`, setup: `${DIGITS}.5`, cleanup: `${DIGITS}.75` },
      actual: {
        run: [DIGITS, longest],
        setup: [DIGITS, longest],
        cleanup: [DIGITS, longest],
      },
    })),
  ]);
  for (const [company, identifier] of [
    [COMPANY, 101],
    [OTHER_COMPANY, 101],
    [OTHER_COMPANY, Number(`${DIGITS}101`)],
  ] as const) {
    const number = company === COMPANY ? 4 : Number(DIGITS);
    await insertApplicationVersion(owner, {
      ...{ company_id: company, application_id: 10_001, application_version_id: identifier },
      ...{ status: number, lookup_priority: number, created_by_user_id: number, changed_by_user_id: number },
      ...{ permission_id: number, restricted_to_company_id: number, created_by_first_name: 'Kari' },
    });
  }
  await owner.query('UPDATE takt.companies SET code = $1 WHERE company_id = $2', [
    CANARY.toUpperCase(),
    OTHER_COMPANY,
  ]);
  for (const { table, column } of await companyTexts(api)) {
    await owner.query(
      `UPDATE takt.${table} SET ${column} = concat($1::text, ${column}) WHERE company_id = $2`,
      [`${CANARY} `, OTHER_COMPANY],
    );
  }
}
