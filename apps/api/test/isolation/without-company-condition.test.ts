import {
  filterFieldsOf,
  isComputed,
  newestOf,
  queryFieldsOf,
  type Resource,
  resourceFamilies,
} from '@takt/catalogue/resources';
import { expect } from 'chai';
import { createStatementCache, statementShapeOf } from '../../src/query/statement-cache.js';
import { askDetail, askList, type Parameters, planOf } from '../harness/ask.js';
import {
  FOREIGN_CANARY,
  FOREIGN_NUMBER,
  insertCanaries,
  OWN_CANARY,
  OWN_NUMBER,
} from '../harness/canaries.js';
import { COMPANY, OTHER_COMPANY, openTestApi, type TestApi } from '../harness/open-test-api.js';
import { productionTimes, smallestIdentifiers } from '../harness/resources.js';

/** As the registry has it, but the planner knows of no company and counts all rows that it finds. */
function withoutCompany<Any extends Resource>(resource: Any): Any {
  const source = { ...resource.source, company: undefined, sizeOf: undefined };
  if (resource.kind === 'detail' || resource.parent === undefined) return { ...resource, source };
  return { ...resource, source, parent: withoutCompany(resource.parent) };
}

const withCompany = resourceFamilies
  .map(newestOf)
  .filter((resource) => !isComputed(resource) && resource.source.company !== undefined);

/** Every way of asking: each order both ways, each filter, counts, pages, search. */
function questionsOf(resource: Resource): readonly Parameters[] {
  if (resource.kind === 'detail') return [{}, { $showDomainDescriptions: 'true' }];
  const orders = [...queryFieldsOf(resource).keys()].flatMap((name) => [`${name} asc`, `${name} desc`]);
  const filters = [...filterFieldsOf(resource)].flatMap(([name, { type }]) =>
    type === 'text'
      ? [
          `contains(${name}, 'canary')`,
          `startswith(${name}, '${FOREIGN_CANARY}')`,
          `${name} eq '${FOREIGN_CANARY}'`,
        ]
      : [`${name} ne 0`, `${name} eq ${FOREIGN_NUMBER}`, `not (${name} lt 5)`],
  );
  return [
    ...[{}, { $inlinecount: 'allpages' }, { $top: 3, $skip: 2 }],
    ...orders.map(($orderby) => ({ $orderby, $inlinecount: 'allpages' })),
    ...filters.map(($filter) => ({ $filter, $inlinecount: 'allpages', $top: '$max' })),
  ];
}

describe('with the condition on the company taken out of the planner, the database keeps companies apart', () => {
  let api: TestApi;
  /** With statements and sessions of its own: they are kept by what a resource is called. */
  let bare: TestApi;
  before(async () => {
    api = await openTestApi();
    bare = { ...api, statementOf: createStatementCache(), pool: api.reader };
    await insertCanaries(api);
  });
  after(() => api.close());

  const ask = async (from: TestApi, resource: Resource, parameters: Parameters, companyId = COMPANY) =>
    JSON.stringify(
      dataOf(
        resource.kind === 'list'
          ? await askList(from, resource, parameters, companyId)
          : await askDetail(from, resource, smallestIdentifiers(resource), parameters, companyId),
      ),
    );
  const textOf = (from: TestApi, resource: Resource) =>
    from.statementOf(statementShapeOf(planOf(resource))).text;

  it('in every resource that has one', () => {
    expect(withCompany.length).to.be.above(1);
    for (const resource of withCompany) {
      expect(textOf(api, resource)).to.match(/"company_id" = \$\d/);
      expect(textOf(bare, withoutCompany(resource))).not.to.match(/"company_id" = \$\d/);
    }
  });

  for (const resource of withCompany) {
    it(`in every order, filter, count and page of ${resource.path}`, async () => {
      let told = 0;
      for (const parameters of questionsOf(resource)) {
        const question = JSON.stringify(parameters);
        const held = await ask(bare, withoutCompany(resource), parameters);
        expect(held, question).not.to.include(FOREIGN_CANARY).and.not.include(String(FOREIGN_NUMBER));
        expect(held, question).to.equal(await ask(api, resource, parameters));
        if (held.includes(OWN_CANARY) || held.includes(String(OWN_NUMBER))) told += 1;
        const others = await ask(bare, withoutCompany(resource), parameters, OTHER_COMPANY);
        expect(others, question).not.to.include(OWN_CANARY).and.not.include(String(OWN_NUMBER));
      }
      expect(told).to.be.above(1);
    }).timeout(180_000);
  }

  it('in the kept size of a list and for the rows of a company that is asked for without its key', async () => {
    const keys = new Map([[OTHER_COMPANY, api.keys.get(COMPANY) ?? '']]);
    const page = await askList(
      { ...api, keys },
      productionTimes,
      { $inlinecount: 'allpages' },
      OTHER_COMPANY,
    );
    expect([page.rows, page.paging.size]).to.deep.equal([[], 0]);
  });
});

/** Rows, sizes and positions; page keys name the resource as it was asked. */
function dataOf(page: Awaited<ReturnType<typeof askList>> | Awaited<ReturnType<typeof askDetail>>): unknown {
  return 'rows' in page ? [page.rows, page.paging.size, page.paging.position, page.paging.page] : page.row;
}
