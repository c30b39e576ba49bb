import { ServiceError } from '@takt/catalogue/errors';
import type { ApiRequest } from '@takt/http';
import type { FilterExpression } from '@takt/query';
import { expect } from 'chai';
import { planColumns } from '../../src/query/outline.js';
import { type FoundRow, pageOf } from '../../src/query/page.js';
import { decodePageKey, encodePageKey, type PageStart } from '../../src/query/page-key.js';
import { resolveOrder, resolveSelection } from '../../src/query/resolve-fields.js';
import { resolveFilter } from '../../src/query/resolve-filter.js';
import { statementShapeOf } from '../../src/query/statement-cache.js';
import { writeAnswer, writeError } from '../../src/representations/write-answer.js';
import { readRequest } from '../../src/service/read-request.js';
import { pageAddressOf, writingContextOf } from '../../src/service/writing-context.js';
import { planOf, readOf } from '../harness/ask.js';
import { errorMessages, productionTimes } from '../harness/resources.js';

const BASE_URL = 'https://takt.example/api';

const requestOf = (request: Partial<ApiRequest>): ApiRequest => ({
  ...{ path: '/', queryText: '', headers: {}, id: 'request-1', address: '127.0.0.1', pathParameters: {} },
  ...request,
});

function listPlan(parameters = {}, resource = productionTimes) {
  const plan = planOf(resource, parameters);
  if (plan.kind !== 'list') throw new Error('a list is planned as a list');
  return plan;
}

describe('each stage of a request alone', () => {
  describe('read', () => {
    it('takes $format before Accept, Accept before JSON', () => {
      const accept = { accept: 'text/html;q=0.5, application/xml' };
      const formats = [
        readRequest(requestOf({ queryText: '$format=jsonstream', headers: accept })),
        readRequest(requestOf({ headers: accept })),
        readRequest(requestOf({ headers: { accept: 'image/png' } })),
        readRequest(requestOf({})),
      ].map(({ format }) => format);
      expect(formats).to.deep.equal(['jsonstream', 'xml', 'json', 'json']);
    });

    it('takes a type of Accept whatever parameters it bears, by its weight', () => {
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

    it('reads a hostile Accept in no time', () => {
      for (const piece of [';a="', ';a="\\', ';', ';a=\t', ',;="', ';q', '"']) {
        const accept = `application/xml${piece.repeat(16_384 / piece.length)}`;
        // Time of the processor, which others on the machine do not lengthen.
        const before = process.cpuUsage();
        readRequest(requestOf({ headers: { accept } }));
        expect(process.cpuUsage(before).user / 1_000, piece).to.be.below(500);
      }
    });

    it('takes $lang before Accept-Language, which counts for pages alone', () => {
      const headers = { 'accept-language': 'de-AT', accept: 'text/html' };
      const languages = [
        readRequest(requestOf({ headers, queryText: '$lang=fra' })),
        readRequest(requestOf({ headers })),
        readRequest(requestOf({ headers: { 'accept-language': 'de' } })),
      ].map(({ language }) => language);
      expect(languages).to.deep.equal(['fra', 'deu', 'eng']);
    });

    it('keeps what says who asks beside a query that cannot be read', () => {
      const read = readRequest(requestOf({ queryText: '$filter=%00&$access_token=t&$db=A&x=%E0' }));
      expect(read.credentials).to.deep.equal({ authorization: undefined, accessToken: 't', database: 'A' });
      expect(read.query.problem?.code).to.equal('controlCharacter');
    });
  });

  describe('resolve', () => {
    it('looks the name of a filter up once, wherever it stands', () => {
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

    it('gives a filter as fields and numbered values', () => {
      const { filter } = listPlan({ $filter: 'runtime gt 1 and RunTime lt 2.5' }).question;
      expect(filter?.values).to.deep.equal(['1', '2.5']);
      const conditions = filter?.condition.kind === 'and' ? filter.condition.conditions : [];
      const written = conditions.map((condition) =>
        condition.kind === 'comparison' && condition.left.kind === 'field'
          ? [condition.left.field.name, condition.operator, condition.right]
          : [],
      );
      expect(written).to.deep.equal([
        ['RunTime', 'gt', { kind: 'value', type: 'bigint', value: 0 }],
        ['RunTime', 'lt', { kind: 'value', type: 'numeric', value: 1 }],
      ]);
    });

    it('ends an order with the key, in the direction before it', () => {
      const order = resolveOrder(productionTimes, [
        { field: 'PRODUCTNAME', direction: 'asc', position: 1 },
        { field: 'RunTime', direction: 'desc', position: 13 },
      ]).map(({ field, direction }) => [field.name, direction]);
      const key = productionTimes.key.name;
      expect(order).to.deep.equal([
        ['Name', 'asc'],
        ['RunTime', 'desc'],
        [key, 'desc'],
      ]);
      expect(resolveOrder(productionTimes, [])).to.deep.equal([
        { field: productionTimes.key, direction: 'asc' },
      ]);
    });

    it('finds what is selected by name and by path', () => {
      const item = (text: string) => ({ text, path: text.split('.'), position: 1 });
      expect(resolveSelection(productionTimes, undefined)).to.equal(undefined);
      const named = resolveSelection(productionTimes, [item('name'), item('product.status')]);
      expect([...(named ?? [])].map(({ name }) => name)).to.deep.equal(['Name', 'Name', 'Status']);
    });

    it('reads the key of a page as it was written, and of no other query', () => {
      const { keyed, order } = listPlan({ $orderby: 'ProductName' }).question;
      const fields = order.map(({ field }) => field);
      const starts: readonly PageStart[] = [
        { kind: 'first' },
        { kind: 'last' },
        { kind: 'after', boundary: ['Größe 😀', 7], position: 3 },
        { kind: 'before', boundary: ['', -1], position: 1 },
      ];
      for (const start of starts) {
        const key = encodePageKey(start, keyed);
        expect(decodePageKey(key, keyed, fields)).to.deep.equal(start);
        const other = { ...keyed, search: 'x' };
        expect(() => decodePageKey(key, other, fields))
          .to.throw(ServiceError)
          .with.property('code', 'pageKeyOfOtherQuery');
      }
    });
  });

  describe('plan', () => {
    it('gives each value that is served an index, and leaves out groups without any', () => {
      const selection = resolveSelection(errorMessages, [
        { text: 'Message', path: ['Message'], position: 1 },
        { text: 'Status', path: ['Status'], position: 9 },
      ]);
      const wishes = { selection, expansion: new Set<string>(), expandsAll: false, withDescriptions: true };
      const { outline, columns } = planColumns(errorMessages.fields, wishes);
      expect(
        outline.map((node) => (node.kind === 'field' ? [node.field.name, node.index] : [])),
      ).to.deep.equal([
        ['Status', 0],
        ['StatusDescription', 1],
        ['Message', 2],
      ]);
      expect(columns.map(({ name }) => name)).to.deep.equal(['Status', 'StatusDescription', 'Message']);
      const grouped = planColumns(productionTimes.fields, { ...wishes, selection: new Set() });
      expect(grouped).to.deep.equal({ outline: [], columns: [] });
    });

    it('keeps values apart from the shape: other values are the same statement', () => {
      const [one, other] = [
        listPlan({ $filter: "ProductName eq 'a'", $top: 3 }),
        listPlan({ $filter: "ProductName eq 'b'", $top: 4 }),
      ];
      expect(other.shape).to.deep.equal(one.shape);
      expect(statementShapeOf(other).key).to.equal(statementShapeOf(one).key);
      expect(one.values).to.include({ company: 1, language: 'eng', pageSize: 3, skip: 0, filter0: 'a' });
      expect(other.values).to.include({ pageSize: 4, filter0: 'b' });
    });
  });

  describe('page', () => {
    const addressOf = (key: string) => `to:${key}`;
    const rowsOf = (...ids: number[]): FoundRow => ({ rows: ids.map((id) => [id, id]), size: null });

    it('takes off the row that tells of a neighbour, and names the neighbours', () => {
      const plan = listPlan({ $select: productionTimes.key.name, $top: 2 });
      const page = pageOf(plan, rowsOf(1, 2, 3), addressOf);
      if (!('paging' in page)) throw new Error('a list is a list');
      expect(page.rows).to.deep.equal([
        [1, 1],
        [2, 2],
      ]);
      expect(page.paging).to.include({ pageSize: 2, position: 1, page: 1, previous: null, size: undefined });
      expect(page.paging.next?.href).to.equal(`to:${page.paging.next?.key}`);
      const whole = pageOf(plan, rowsOf(1, 2), addressOf);
      expect('paging' in whole ? whole.paging.next : undefined).to.equal(null);
    });

    it('keeps the other parameters in the address of another page, and never the token', () => {
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

  describe('write', () => {
    const contextOf = (id: string) => writingContextOf(readRequest(requestOf({ id })), BASE_URL);
    const plan = listPlan({ $select: 'Message' }, errorMessages);
    const page = pageOf(plan, { rows: [['a message', 1]], size: null }, (key) => key);

    it('gives every format its type, and pieces to a stream alone', () => {
      const answers = (['json', 'jsonstream', 'xml', 'html'] as const).map((format) =>
        writeAnswer(page, format, contextOf('one')),
      );
      expect(answers.map(({ headers }) => headers['Content-Type']?.split(';')[0])).to.deep.equal([
        'application/json',
        'application/json',
        'application/xml',
        'text/html',
      ]);
      expect(answers.map(({ isStreamed }) => isStreamed)).to.deep.equal([false, true, false, false]);
      expect(answers.every(({ headers }) => headers['Resource-Id'] === '132')).to.equal(true);
      expect(answers.map(({ headers }) => headers['Cache-Control'])).to.deep.equal([
        ...[undefined, undefined, undefined],
        'private, no-store',
      ]);
    });

    it('tags what is written, not who asked for it', () => {
      for (const format of ['json', 'html'] as const) {
        const tagOf = (id: string) => writeAnswer(page, format, contextOf(id)).headers['ETag'];
        expect(tagOf('one'))
          .to.equal(tagOf('another'))
          .and.match(/^W\/"[\w-]+"$/);
        // What a client calls its request may stand anywhere on a page.
        for (const id of ['body', 'y', 'p', 'code', 'Takt', 'a'])
          expect(tagOf(id), id).to.equal(tagOf('one'));
      }
    });

    it('tells what an answer depended on, and its language', () => {
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

    it('gives an error its status and the headers of its entry', () => {
      const statusOf = (error: ServiceError) => writeError(error, 'xml', contextOf('one'));
      expect(statusOf(new ServiceError('resourceNotFound', { verb: 'GET', path: '/x' })).status).to.equal(
        404,
      );
      expect(statusOf(new ServiceError('overloaded')).headers).to.have.property('Retry-After');
      expect(statusOf(new ServiceError('invalidAccessToken')).headers).to.have.property('WWW-Authenticate');
    });
  });
});
