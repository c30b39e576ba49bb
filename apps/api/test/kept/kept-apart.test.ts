import { revokeAccessToken } from '@takt/access';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { comparable, type HttpHeaders } from '../support/http-client.js';
import {
  insertApplicationVersion,
  insertMonths,
  insertStructureVersions,
  noteChangesByHand,
} from '../support/insert-rows.js';
import { OTHER_COMPANY } from '../support/open-test-api.js';
import { type ServedBeside, serveApi } from '../support/serve-api.js';
import { type CountedAnswers, keepForTest } from './keep-for-test.js';

const LIST = '/product/structure-versions/aggregated-production-times';
const TARGETS = [
  LIST,
  `${LIST}?$top=1&$orderby=ProductName%20desc&$inlinecount=allpages&$expand=PagingDetails`,
  `${LIST}?$filter=ProductName%20eq%20'Product%201'&$lang=nob&$showDomainDescriptions=true`,
  '/product/structure-versions/1/aggregated-production-times',
  '/product/structure-versions/1/aggregated-production-times/months',
  '/product/structure-versions/1/work-order-operations',
  '/product/structure-versions/1/aggregated-production-times/distribution?kind=setup',
  '/product/structure-versions/plan-suggestions',
  '/product/products?search=product',
  '/product/products/1',
  '/system/applications/10001/versions/101',
  '/system/error-messages/101015',
  '/system/domain-values/applicable-values?object=Product&field=Status',
];

describe('a cached answer', () => {
  const api = opened(serveApi);
  let keeping: ServedBeside;
  let kept: CountedAnswers;
  let token: string;

  before(async () => {
    await insertStructureVersions(api.owner, [
      { id: 1, planned: { run: '1' }, actual: { run: ['2', '3', '4', '5', '6'] } },
      { id: 2 },
      { id: 9, companyId: OTHER_COMPANY, productName: 'Of the other' },
    ]);
    await insertMonths(api.owner, [{ structureVersionId: 1, month: '2026-01', completed: 5 }]);
    await insertApplicationVersion(api.owner, { application_version_id: 101, application_id: 10_001 });
    token = await api.createToken('TEM-NO');
  });
  beforeEach(async () => {
    kept = keepForTest();
    keeping = await api.serveBeside({ answerKept: kept.answerKept });
  });
  afterEach(() => keeping.close());

  const bearing = (one: string, headers: HttpHeaders = {}) => ({
    authorization: `Bearer ${one}`,
    ...headers,
  });

  for (const [name, accept] of [
    ['JSON', 'application/json'],
    ['XML', 'application/xml'],
  ] as const) {
    it(`has the same bytes and headers as a new answer: ${name}`, async () => {
      for (const target of TARGETS) {
        for (const encoding of [{}, { 'accept-encoding': 'gzip' }]) {
          const headers = bearing(token, { accept, 'x-request-id': 'one', ...encoding });
          const made = await api.client.get(target, headers);
          expect(made.status, made.text).to.equal(200);
          for (let turn = 0; turn < 3; turn++) {
            const answer = await keeping.client.get(target, headers);
            expect(comparable(answer), target).to.deep.equal(comparable(made));
          }
          const head = await keeping.client.send('HEAD', target, headers);
          expect({ ...comparable(head), body: comparable(made).body }).to.deep.equal(comparable(made));
          const conditional = { ...headers, 'if-none-match': String(made.headers.etag) };
          const [one, other] = [
            await api.client.get(target, conditional),
            await keeping.client.get(target, conditional),
          ];
          expect(other.status, target).to.equal(304);
          expect(comparable(other)).to.deep.equal(comparable(one));
        }
      }
      expect(kept.takeOutcomes().filter((outcome) => outcome === 'sent').length).to.equal(TARGETS.length * 8);
    });
  }

  it('is stored on the second request for the same answer', async () => {
    for (const outcomes of [['made'], ['made'], ['sent'], ['sent']]) {
      await keeping.client.get(LIST, bearing(token));
      expect(kept.takeOutcomes()).to.deep.equal(outcomes);
    }
  });

  it('is never sent to a request for another company, duty, format, language or address', async () => {
    const blind = await api.createToken('TEM-NO', { duties: ['read-production-times'] });
    const withoutPersons = await api.createToken('TEM-NO', {
      duties: ['read-production-times', 'read-planned-times', 'read-error-messages'],
    });
    const other = await api.createToken('OTHER');
    const askers: readonly (readonly [string, string, HttpHeaders?])[] = [
      [LIST, token],
      [LIST, blind],
      [LIST, other],
      [LIST, token, { accept: 'application/xml' }],
      [`${LIST}?$lang=nob&$showDomainDescriptions=true`, token],
      [`${LIST}?$lang=eng&$showDomainDescriptions=true`, token],
      [`${LIST}?$db=TEM-NO`, token],
      [`${LIST}?$top=1`, token],
      ['/system/error-messages', token],
      ['/system/error-messages', withoutPersons],
    ];
    const seen = new Set<string>();
    for (let turn = 0; turn < 3; turn++) {
      for (const [target, one, headers] of askers) {
        const [made, answer] = [
          await api.client.get(target, bearing(one, headers)),
          await keeping.client.get(target, bearing(one, headers)),
        ];
        expect(answer.status, target).to.equal(200);
        expect(answer.text, target).to.equal(made.text);
        seen.add(answer.text);
      }
    }
    expect(seen.size).to.equal(askers.length);
    const outcomes = kept.takeOutcomes();
    // One request in each round gets no cached answer, because the cache stores nothing for readers without access to
    // plans.
    expect(outcomes.filter((outcome) => outcome === 'sent').length).to.equal(askers.length - 1);
  });

  it('does not reveal a change of a plan to readers without access to plans', async () => {
    const blind = await api.createToken('TEM-NO', { duties: ['read-production-times'] });
    const change = `UPDATE takt.product_structure_versions SET run_time = coalesce(run_time, 0) + 1
      WHERE company_id = 1 AND product_structure_version_id = 1`;
    const answersTo = async (one: string) => {
      const texts: string[] = [];
      for (const target of [LIST, '/product/products', `${LIST}?$top=1`]) {
        for (const headers of [{}, {}, { 'if-none-match': '"another"' }]) {
          texts.push((await keeping.client.get(target, bearing(one, headers))).text);
        }
      }
      return { texts, outcomes: kept.takeOutcomes() };
    };
    const [first, unchanged] = [await answersTo(blind), await answersTo(blind)];
    await api.owner.query(change);
    await noteChangesByHand(api.owner);
    const changed = await answersTo(blind);
    expect(changed).to.deep.equal(unchanged);
    expect(changed).to.deep.equal(first);
    await answersTo(token);
    await api.owner.query(change);
    await noteChangesByHand(api.owner);
    expect((await answersTo(token)).outcomes).to.include('changed');
  });

  it('is shared by readers with the same rights', async () => {
    const colleague = await api.createToken('TEM-NO');
    for (const one of [token, colleague, colleague]) await keeping.client.get(LIST, bearing(one));
    expect(kept.takeOutcomes()).to.deep.equal(['made', 'made', 'sent']);
  });

  it('becomes invalid after a change of its own company or of all companies only', async () => {
    const change = async (...companies: readonly number[]) => {
      await api.owner.query('SELECT takt.note_changes($1)', [companies]);
      await keeping.client.get(LIST, bearing(token));
      return kept.takeOutcomes();
    };
    for (let turn = 0; turn < 3; turn++) await keeping.client.get(LIST, bearing(token));
    kept.takeOutcomes();
    expect(await change(OTHER_COMPANY)).to.deep.equal(['sent']);
    expect(await change(1)).to.deep.equal(['changed']);
    expect(await change()).to.deep.equal(['sent']);
    expect(await change(0)).to.deep.equal(['changed']);
  });

  it('is not sent for a revoked token or a token that has lost its permission', async () => {
    const revoked = await api.createToken('TEM-NO');
    for (let turn = 0; turn < 3; turn++) await keeping.client.get(LIST, bearing(revoked));
    expect(kept.takeOutcomes()).to.include('sent');
    const { rows } = await api.owner.query<{ id: string }>(
      'SELECT max(access_token_id) AS id FROM takt.access_tokens',
    );
    await revokeAccessToken(api.database, Number(rows[0]?.id));
    expect((await keeping.client.get(LIST, bearing(revoked))).status).to.equal(403);
    const withoutRight = await api.createToken('TEM-NO', { duties: ['read-error-messages'] });
    expect((await keeping.client.get(LIST, bearing(withoutRight))).status).to.equal(403);
    expect((await keeping.client.get(`${LIST}?$db=OTHER`, bearing(token))).status).to.equal(403);
    expect(kept.takeOutcomes()).to.deep.equal([]);
  });

  it('is never stored for an address with a token, for content that depends on reader or time, or as HTML or a file', async () => {
    const targets = [
      `${LIST}?$access_token=${token}`,
      `${LIST}?$accessToken=${token}`,
      `${LIST}?$format=html`,
      `${LIST}?$format=jsonstream`,
      `${LIST}?$format=csv`,
      '/system/sessions/current',
      '/system/saved-views',
      `/metadata?uri=${LIST}`,
    ];
    for (const target of targets) {
      const headers = target.includes('oken=') ? {} : bearing(token);
      for (let turn = 0; turn < 3; turn++) {
        expect((await keeping.client.get(target, headers)).status, target).to.equal(200);
      }
    }
    expect(kept.takeOutcomes()).to.deep.equal([]);
    expect(kept.bytes()).to.equal(0);
  });

  it('is never an error', async () => {
    for (const [target, status] of [
      [`${LIST}?$top=0`, 400],
      ['/product/products/77', 404],
    ] as const) {
      for (let turn = 0; turn < 3; turn++) {
        expect((await keeping.client.get(target, bearing(token))).status).to.equal(status);
      }
    }
    expect(kept.takeOutcomes()).to.not.include('sent');
  });

  it('is dropped at the memory limit if all other answers were requested more recently', async () => {
    const small = keepForTest(12_000);
    const beside = await api.serveBeside({ answerKept: small.answerKept });
    const ask = async (top: number) => {
      await beside.client.get(`/system/error-messages?$top=${top}`, bearing(token));
      expect(small.bytes()).to.be.at.most(12_000);
    };
    for (let turn = 0; turn < 3; turn++) await ask(1);
    expect(small.takeOutcomes()).to.deep.equal(['made', 'made', 'sent']);
    for (let top = 2; top < 20; top++) {
      await ask(top);
      await ask(top);
    }
    small.takeOutcomes();
    await ask(1);
    expect(small.takeOutcomes()).to.deep.equal(['made']);
    await beside.close();
  });
});
