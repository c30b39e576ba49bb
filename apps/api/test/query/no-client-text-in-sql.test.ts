import { opened, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { encodePageKey } from '../../src/plan/page-key.js';
import { askDetail, askList, type Parameters } from '../support/ask.js';
import { faultOf } from '../support/fault-of.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { COMPANY, openTestApi, type SentStatement } from '../support/open-test-api.js';
import { applicationVersion, errorMessage, errorMessages, productionTimes } from '../support/resources.js';

const seed = testSeed();

/**
 * Texts that would do harm or break a statement as a part of the SQL. The test replaces %M by a mark that it can find
 * in statements.
 */
const HOSTILE = [
  ...["%M'; DROP TABLE takt.products; --", "%M' OR '1'='1", '%M$1', '%M"', '%M\\', '%M%%', '%M_'],
  ...['%M/*', '%M:filter0', '%M{0}', '$$%M$$', "E'%M", '%M😀', '%M)', '%M?', '{"%M":1}', '{%M,NULL}'],
];

/** Functions that put a value of a client into a filter as a quoted literal. Each function uses another position. */
const PLACES: readonly ((value: string) => Parameters)[] = [
  (value) => ({ $filter: `ProductName eq ${quoted(value)}` }),
  (value) => ({ $filter: `${quoted(value)} lt ProductName` }),
  (value) => ({ $filter: `ProductName in ('a',${quoted(value)},'b')` }),
  (value) => ({ $filter: `contains(ProductName,${quoted(value)}) eq false` }),
  (value) => ({ $filter: `not startswith(toupper(ProductName),trim(${quoted(value)}))` }),
  (value) => ({ $filter: `endswith(${quoted(value)},ProductName) or RunTime eq 1` }),
  (value) => ({ $filter: `length(${quoted(value)}) gt 3 and tolower(${quoted(value)}) ne null` }),
];

describe(`client text never becomes part of a statement (seed ${seed})`, () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(api.owner, [{ id: 1 }, { id: 2, planned: { run: '1' } }]);
  });

  /** Returns the statements that a request sends. */
  const sentBy = async (ask: () => Promise<unknown>): Promise<readonly SentStatement[]> => {
    api.sent.length = 0;
    await ask();
    expect(api.sent).to.have.lengthOf.at.least(1);
    return [...api.sent];
  };

  const expectBound = (sent: readonly SentStatement[], mark: string): void => {
    for (const { text, values } of sent) {
      expect(text).to.not.include(mark);
      expect(JSON.stringify(values)).to.include(mark);
    }
  };

  it('if it comes from a filter', async () => {
    const cases = fc.sample(fc.tuple(fc.constantFrom(...PLACES), fc.constantFrom(...HOSTILE), fc.nat()), {
      seed,
      numRuns: 300,
    });
    for (const [place, hostile, number] of cases) {
      const mark = `mark${number}x`;
      const parameters = place(hostile.replaceAll('%M', mark));
      expectBound(await sentBy(() => askList(api, productionTimes, parameters)), mark);
    }
  });

  it('if it is a number in a filter', async () => {
    for (const $filter of ['RunTime eq 71828182', 'RunTime in (71828182)', '71828182.5 gt RunTime']) {
      expectBound(await sentBy(() => askList(api, productionTimes, { $filter })), '71828182');
    }
  });

  it('if it comes from a search', async () => {
    for (const hostile of HOSTILE) {
      const search = hostile.replaceAll('%M', 'mark5x');
      expectBound(await sentBy(() => askList(api, errorMessages, { search })), 'mark5x');
    }
  });

  it('if it comes from a page key', async () => {
    const keyed = {
      ...{ resource: '6215/5', companyId: COMPANY, filter: '', search: '' },
      orderBy: 'Name asc,ProductStructureVersionId asc',
    };
    const { resource, companyId, filter, orderBy, search } = keyed;
    for (const hostile of HOSTILE) {
      for (const kind of ['after', 'before'] as const) {
        const boundary = [hostile.replaceAll('%M', 'mark6x'), 31_415_926];
        const $pageKey = encodePageKey(
          { kind, boundary, position: 5 },
          { resource, identifiers: undefined, companyId, filter, orderBy, search, language: undefined },
        );
        const sent = await sentBy(() => askList(api, productionTimes, { $orderby: 'ProductName', $pageKey }));
        expectBound(sent, 'mark6x');
        expectBound(sent, '31415926');
      }
    }
  });

  it('if it is an identifier, a page size or a number of rows to skip', async () => {
    const path = { applicationId: '31415926', applicationVersionId: '27182818' };
    const detail = await sentBy(() => faultOf(askDetail(api, applicationVersion, path)));
    expectBound(detail, '31415926');
    expectBound(detail, '27182818');
    const message = askDetail.bind(undefined, api, errorMessage, { errorMessageId: '31415926' });
    expectBound(await sentBy(() => faultOf(message())), '31415926');
    const list = await sentBy(() => askList(api, productionTimes, { $top: 73, $skip: 9_731 }));
    expectBound(list, '73');
    expectBound(list, '9731');
  });

  it('if it is a language, a company or a name, because the API only looks it up', async () => {
    const mark = "mark7x'";
    const parameters = { $lang: mark, $db: mark, $showDomainDescriptions: '1', [mark]: mark };
    const sent = await sentBy(() => askList(api, productionTimes, parameters));
    for (const { text, values } of sent) expect(text + JSON.stringify(values)).to.not.include('mark7x');
    api.sent.length = 0;
    for (const name of ['mark8x', 'mark8x.RunTime']) {
      for (const $orderby of [name, `RunTime,${name} desc`]) {
        await faultOf(askList(api, productionTimes, { $orderby }));
      }
      await faultOf(askList(api, productionTimes, { $select: name }));
      await faultOf(askList(api, productionTimes, { $expand: 'mark8x' }));
      await faultOf(askList(api, productionTimes, { $filter: `mark8x eq 1` }));
    }
    expect(api.sent).to.deep.equal([]);
  });

  const pairs: Readonly<Record<string, readonly [Parameters, Parameters]>> = {
    filter: [
      { $filter: "ProductName eq 'a' and RunTime gt 1 and SetupTime in (1,2)" },
      { $filter: "ProductName eq 'b''; --' and RunTime gt 22 and SetupTime in (3.5,4,5)" },
    ],
    'page size': [{ $top: 1 }, { $top: 80 }],
    'skipped rows': [{ $skip: 1 }, { $skip: 2 }],
    spelling: [
      { $filter: "contains(ProductName,'a')", $orderby: 'RunTime desc' },
      { $filter: "SUBSTRINGOF ( 'bc' , productname ) EQ true", $orderby: ' runtime  DESC ' },
    ],
    language: [
      { $lang: 'deu', $showDomainDescriptions: 'true' },
      { $lang: 'pol', $showDomainValues: '1' },
    ],
  };
  for (const [name, [one, other]] of Object.entries(pairs)) {
    it(`because requests with a different ${name} use the same statement`, async () => {
      const [first] = await sentBy(() => askList(api, productionTimes, one));
      const [second] = await sentBy(() => askList(api, productionTimes, other));
      expect(second?.text).to.equal(first?.text);
      const isPrepared = one['$filter'] === undefined && one['$skip'] === undefined;
      if (isPrepared) {
        expect(first?.name).to.match(/^takt_[0-9a-f]{32}$/);
      } else {
        expect(first?.name, 'what is planned for its values').to.equal(undefined);
      }
      expect(second?.name).to.equal(first?.name);
    });
  }

  it('because all companies use the same statement, with the company as a bound value', async () => {
    const [first] = await sentBy(() => askList(api, productionTimes, {}, 1));
    const [second] = await sentBy(() => askList(api, productionTimes, {}, 424_242));
    expect(second?.text).to.equal(first?.text);
    expect(second?.name).to.equal(first?.name);
    expect(second?.values).to.include(424_242);
  });

  it('even though requests of another shape use another statement', async () => {
    const shapes: readonly Parameters[] = [
      {},
      { $orderby: 'RunTime' },
      { $orderby: 'RunTime desc' },
      { $filter: 'RunTime eq 1' },
      { $filter: 'RunTime ne 1' },
      { $filter: 'SetupTime eq 1' },
      { $filter: 'not (RunTime eq 1)' },
      { $filter: 'RunTime eq null' },
      { $filter: 'RunTime ne null' },
      { $filter: 'RunTime eq 1 or SetupTime eq 1' },
      { $filter: 'RunTime eq 1 and SetupTime eq 1' },
      { $select: 'RunTime' },
      { $select: 'SetupTime' },
      { $inlinecount: 'allpages' },
      { $showDomainDescriptions: 'true' },
    ];
    const sent: SentStatement[] = [];
    for (const shape of shapes) {
      sent.push(...(await sentBy(() => askList(api, productionTimes, shape))));
    }
    expect(new Set(sent.map(({ text }) => text))).to.have.lengthOf(shapes.length);
    const names = sent.flatMap(({ name }) => name ?? []);
    const areFew = ({ $filter = '' }: Parameters) => /^\w+ eq 1( and .*)?$/.test(String($filter));
    expect(names).to.have.lengthOf(shapes.filter((shape) => !areFew(shape)).length);
    expect(new Set(names)).to.have.lengthOf(names.length);
  });
});

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
