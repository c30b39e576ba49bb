import { ServiceError } from '@takt/catalogue/errors';
import type { FilterExpression } from '@takt/query';
import { expect } from 'chai';
import { readRequest } from '../../src/parse/read-request.js';
import { resolveFilter } from '../../src/plan/resolve-filter.js';
import { writeAnswer, writeError } from '../../src/respond/write-answer.js';
import { pageAddressOf, writingContextOf } from '../../src/respond/writing-context.js';
import { pageOf } from '../../src/sql/result.js';
import { planOf, readOf } from '../support/ask.js';
import { requestOf } from '../support/requests.js';
import { errorMessages, productionTimes } from '../support/resources.js';

const BASE_URL = 'https://takt.example/api';

describe('the stage of the API that', () => {
  describe('reads a request', () => {
    it('recognizes media types in Accept with any parameters, and compares their weights', () => {
      for (const [accept, format] of [
        ['application/xml;charset=utf-8', 'xml'],
        ['text/xml; Charset = "utf-8"', 'xml'],
        ['application/xml;version=1.0;q=0.9, text/html;level="1,2";q=0.8', 'xml'],
        ['application/xml;q=0.2;charset=utf-8, text/html;q=0.8;level=1', 'html'],
        ['application/json;odata=verbose;q=0.5, application/xml;a;q=0.4', 'json'],
        ['application/xml;charset=utf-8;q=0, */*', 'json'],
        ['text/html;Q=0.1, application/xml;qs=0.2;q=0.05', 'html'],
      ] as const) {
        expect(readRequest(requestOf({ headers: { accept } })).format, accept).to.equal(format);
      }
    });

    it('takes little CPU time for a hostile Accept header', () => {
      for (const piece of [';a="', ';a="\\', ';', ';a=\t', ',;="', ';q', '"']) {
        const accept = `application/xml${piece.repeat(16_384 / piece.length)}`;
        // The test measures CPU time, because other processes do not increase it.
        const before = process.cpuUsage();
        readRequest(requestOf({ headers: { accept } }));
        expect(process.cpuUsage(before).user / 1_000, piece).to.be.below(500);
      }
    });
  });

  describe('resolves names', () => {
    it('looks up each field name in a filter only once', () => {
      let asked = 0;
      const field = () => ({
        kind: 'field' as const,
        position: 1,
        get name() {
          asked += 1;
          return 'productname';
        },
      });
      const text = { kind: 'literal', type: 'text', value: 'a', position: 1, source: "'a'" } as const;
      const call = { kind: 'call', function: 'trim', arguments: [field()], position: 1 } as const;
      const expression: FilterExpression = {
        kind: 'and',
        operands: [
          { kind: 'comparison', operator: 'eq', left: field(), right: text, position: 1 },
          { kind: 'comparison', operator: 'ne', left: text, right: field(), position: 1 },
          { kind: 'comparison', operator: 'lt', left: call, right: text, position: 1 },
          { kind: 'in', operand: field(), values: [text], position: 1 },
          { kind: 'textMatch', match: 'contains', text: field(), part: text, position: 1 },
        ],
      };
      resolveFilter(productionTimes, expression);
      expect(asked).to.equal(5);
    });
  });

  describe('pages a list', () => {
    it('keeps the query options in the address of another page, but never the token', () => {
      const { parameters } = readOf({
        $top: 2,
        $access_token: 't',
        $skip: 3,
        other: 1,
        $filter: 'a b',
      }).query;
      const address = pageAddressOf('https://x/list', parameters)('KEY');
      expect(address).to.equal('https://x/list?$top=2&$filter=a%20b&$pageKey=KEY');
      for (const token of ['$access_token', '$accessToken', '$ACCESS_TOKEN', '$AccessToken']) {
        const { parameters } = readOf({ [token]: 't', $top: 2 }).query;
        expect(pageAddressOf('https://x/list', parameters)('KEY')).to.equal(
          'https://x/list?$top=2&$pageKey=KEY',
        );
      }
    });
  });

  describe('writes an answer', () => {
    const contextOf = (id: string) => writingContextOf(readRequest(requestOf({ id })), BASE_URL);
    const plan = planOf(errorMessages, { $select: 'Message' });
    const page = pageOf(plan, { rows: [['a message', 1]], size: null }, (key) => key);

    it('computes the entity tag from the content without the request id', () => {
      for (const format of ['json', 'html'] as const) {
        const tagOf = (id: string) => writeAnswer(page, format, contextOf(id)).headers['ETag'];
        expect(tagOf('one'))
          .to.equal(tagOf('another'))
          .and.match(/^W\/"[\w-]+"$/);
        // A client can choose a request id that also occurs elsewhere on the page.
        for (const id of ['body', 'y', 'p', 'code', 'Takt', 'a'])
          expect(tagOf(id), id).to.equal(tagOf('one'));
      }
    });

    it('names in Vary all headers that affect the answer, and states the language', () => {
      const german = readRequest(requestOf({ queryText: '$lang=deu' }));
      const unknown = readRequest(requestOf({ queryText: '$lang=xyz' }));
      for (const format of ['json', 'jsonstream', 'xml', 'html'] as const) {
        for (const [read, language] of [
          [german, 'de'],
          [unknown, 'en'],
        ] as const) {
          const context = writingContextOf(read, BASE_URL);
          const error = new ServiceError('overloaded');
          for (const { headers } of [
            writeAnswer(page, format, context),
            writeError(error, format, context),
          ]) {
            expect(headers['Content-Language']).to.equal(language);
            expect(headers['Vary']).to.equal('Accept, Accept-Language, Authorization, Cookie');
          }
        }
      }
    });
  });
});
