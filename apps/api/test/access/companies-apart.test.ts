import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { encodePageKey, type PageStart } from '../../src/plan/page-key.js';
import { listPlanOf } from '../support/ask.js';
import { comparable, type HttpClient, type HttpHeaders } from '../support/http-client.js';
import { jsonAt } from '../support/json-at.js';
import { COMPANY, OTHER_COMPANY } from '../support/open-test-api.js';
import { productionTimes } from '../support/resources.js';
import { serveApi } from '../support/serve-api.js';
import { CANARY, companyTexts, findCanaries, insertCompanies, OWN_ROWS } from './canaries.js';
import { variants, withoutCompany, withoutKeys } from './companies-apart.js';
import { crawl } from './crawler.js';
import { CATALOGUE, formats, LIST, TARGETS } from './ways.js';

describe('two companies that share a database', () => {
  const api = opened(serveApi);
  let token: string;
  let othersToken: string;

  before(async () => {
    await insertCompanies(api);
    token = await api.createToken('TEM-NO');
    othersToken = await api.createToken(CANARY.toUpperCase());
  });

  it('have a canary in every stored text of the second company, and in no text of the first company', async () => {
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

  for (const { name, changes } of variants) {
    describe(name, () => {
      let client: HttpClient;
      let close: () => Promise<void>;

      before(async () => {
        ({ client, close } = await api.serveBeside(changes()));
      });
      after(async () => await close?.());

      const ask = (target: string, headers: HttpHeaders = {}) =>
        client.get(target, { ...headers, 'x-request-id': 'r-1', authorization: `Bearer ${token}` });
      const askAsOther = (target: string) =>
        client.get(target, { 'x-request-id': 'r-1', authorization: `Bearer ${othersToken}` });

      it('get nothing of each other from any resource', async () => {
        for (const target of TARGETS) {
          const answer = await ask(`${target}?$format=json`);
          expect(answer.status, target).to.be.oneOf([200, 404]);
          expect(findCanaries({ target, answer })).to.deep.equal([]);
          const told = await askAsOther(`${target}?$format=json`);
          if (told.status === 200 && !target.startsWith(CATALOGUE)) {
            expect(findCanaries({ target, answer: told }), target).not.to.have.lengthOf(0);
          }
        }
      });

      it('see only their own rows in counts', async () => {
        for (const filter of ['', '&$filter=true', '&$filter=ProductName%20ne%20null']) {
          const { text } = await ask(`${LIST}?$inlinecount=allpages&$top=2${filter}`);
          expect(jsonAt(JSON.parse(text), 'paging.size'), filter).to.equal(OWN_ROWS);
        }
      });

      it('get the same answer for the code of the other company as for an unknown code', async () => {
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

      it('get the same answer for page keys of the other company as for page keys of an unknown company', async () => {
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

      it('cannot use entity tags of the other company for documents with different content', async () => {
        for (const target of TARGETS) {
          for (const format of formats) {
            const asked = `${target}?$format=${format}`;
            const [own, others] = await Promise.all([ask(asked), askAsOther(asked)]);
            const { status } = await ask(asked, { 'if-none-match': String(others.headers.etag) });
            const isShared = own.headers.etag === others.headers.etag;
            expect(status, asked).to.equal(isShared ? 304 : 200);
            // The error messages are the same for all companies, but an HTML page contains the name of the company.
            expect(isShared, asked).to.equal(target.startsWith(CATALOGUE) && format !== 'html');
          }
        }
      });
    });
  }

  it('would see each other without separation by the statements and the database', async () => {
    const { client, close } = await api.serveBeside({ statementOf: withoutCompany(), pool: api.owner });
    const visits = await crawl(client, token, {
      followed: [],
      alone: [`${LIST}?$format=json&$top=80`, `${LIST}?$format=html&$top=80`],
    });
    await close();
    expect(visits.flatMap(findCanaries)).not.to.have.lengthOf(0);
  });
});

/** Returns page keys of a company that does not exist. */
async function keysOfNobody(query: string): Promise<readonly string[]> {
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const { question } = listPlanOf(productionTimes, parameters, {}, 4_711);
  const boundary = question.order.map(({ field }) => (field.type === 'text' ? 'Bracket' : 3));
  const starts: readonly PageStart[] = [
    { kind: 'first' },
    { kind: 'after', boundary, position: 3 },
    { kind: 'last' },
  ];
  return starts.map((start) => encodePageKey(start, question.keyed));
}
