import { expect } from 'chai';
import { type Acceptance, parseQueryString, type QueryOptions, readQueryOptions } from '../src/index.js';
import { faultOf } from './support/fault-of.js';

const list: Acceptance = { kind: 'list', takesSearch: true, defaultPageSize: 10, maximumPageSize: 80 };
const plainList: Acceptance = { ...list, takesSearch: false };
const detail: Acceptance = { ...plainList, kind: 'detail' };

const read = (query: string, acceptance: Acceptance = list): QueryOptions =>
  readQueryOptions(parseQueryString(query).parameters, acceptance);

const faultIn = (query: string, acceptance: Acceptance = list) => faultOf(() => read(query, acceptance));

const nothingGiven: QueryOptions = {
  ...{ format: undefined, language: undefined, database: undefined, useMinimumVersion: undefined },
  ...{ showDomainDescriptions: false, select: undefined, expand: [], top: 10, skip: 0, pageKey: undefined },
  ...{ countAll: false, decimal: 'point', filter: undefined, orderBy: undefined, search: [] },
  own: new Map(),
};

describe('readQueryOptions', () => {
  it('has a default for every option', () => {
    for (const acceptance of [list, plainList, detail]) {
      expect(read('', acceptance)).to.deep.equal(nothingGiven);
    }
    expect(read('', { ...list, defaultPageSize: 100 }).top).to.equal(80);
  });

  it('accepts the parameters that a resource has itself, in any case', () => {
    const own = [
      { name: 'uri', isRequired: true },
      { name: 'verb', isRequired: false },
    ];
    const takesOwn = { ...detail, own };
    expect([...read('URI=/a%3Fb&$db=x&Verb=', takesOwn).own]).to.deep.equal([['uri', '/a?b']]);
    expect([...read('uri=a&verb=GET', takesOwn).own.keys()]).to.deep.equal(['uri', 'verb']);
    expect([...read('uri=a&verb=GET', detail).own]).to.deep.equal([]);
    const codeOf = (query: string) => faultIn(query, takesOwn).code;
    expect(codeOf('verb=GET')).to.equal('missingParameter');
    expect(codeOf('uri=a&Uri=b')).to.equal('repeatedParameter');
    expect(codeOf(`uri=${'a'.repeat(4_001)}`)).to.equal('parameterTooLong');
  });

  const values: readonly [string, Partial<QueryOptions>][] = [
    ['$format=json', { format: 'json' }],
    ['$FORMAT=JsonStream', { format: 'jsonstream' }],
    ['$format=XLSX', { format: 'xlsx' }],
    ['$format=csv&$decimal=COMMA', { format: 'csv', decimal: 'comma' }],
    [
      '$decimal=point&$format=csv&$expand=PagingDetails',
      { format: 'csv', expand: [{ name: 'PagingDetails', position: 1 }] },
    ],
    ['$format=XML', { format: 'xml' }],
    ['$format=html', { format: 'html' }],
    ['$lang=NOB', { language: 'nob' }],
    ['$lang=Klingon', { language: 'klingon' }],
    ['$lang=', {}],
    ['$db=TEM-no', { database: 'TEM-no' }],
    ['$db=+', {}],
    ['$access_token=x', {}],
    ['$accessToken=x', {}],
    ['$useMinimumVersion=0', { useMinimumVersion: 0 }],
    ['$useMinimumVersion=1', { useMinimumVersion: 1 }],
    ['$useminimumversion=1000000', { useMinimumVersion: 1_000_000 }],
    ['$showDomainDescriptions=true', { showDomainDescriptions: true }],
    ['$showDomainValues=True', { showDomainDescriptions: true }],
    ['$SHOWDOMAINVALUES=1', { showDomainDescriptions: true }],
    ['$showDomainDescriptions=FALSE', {}],
    ['$showDomainDescriptions=0', {}],
    ['$top=1', { top: 1 }],
    ['%24ToP=80', { top: 80 }],
    ['$top=81', { top: 80 }],
    ['$top=999999999999', { top: 80 }],
    [`$top=${'9'.repeat(400)}`, { top: 80 }],
    ['$top=$max', { top: 80 }],
    ['$top=%24MAX', { top: 80 }],
    ['$top=007', { top: 7 }],
    ['$skip=0', {}],
    ['$skip=10000', { skip: 10_000 }],
    ['$pageKey=a.b-c', { pageKey: 'a.b-c' }],
    ['$inlinecount=AllPages', { countAll: true }],
    ['$inlinecount=none', {}],
    ['$count=true', { countAll: true }],
    ['$COUNT=1', { countAll: true }],
    ['$count=False', {}],
    ['$select=*', {}],
    ['$select=Name,*', {}],
    ['$filter=', {}],
    ['$filter=++', {}],
    ['$orderby=+', {}],
    ['$select=', {}],
    ['$expand=+', {}],
    ['search=', {}],
    ['search=++not++found+', { search: ['not', 'found'] }],
    ['SEARCH=%25_%C3%A9', { search: ['%_é'] }],
    [`search=${'a+'.repeat(20)}`, { search: new Array(20).fill('a') }],
    ['$select=Name', { select: [{ path: ['Name'], position: 1, text: 'Name' }] }],
    ['$expand=PagingDetails', { expand: [{ name: 'PagingDetails', position: 1 }] }],
    [
      '$filter=+a+eq+null',
      {
        filter: {
          text: ' a eq null',
          expression: {
            ...{ kind: 'comparison', operator: 'eq', left: { kind: 'field', name: 'a', position: 2 } },
            right: { kind: 'literal', type: 'null', value: 'null', position: 7, source: 'null' },
            position: 4,
          },
        },
      },
    ],
    [
      '$orderby=a+desc',
      { orderBy: { text: 'a desc', items: [{ field: 'a', direction: 'desc', position: 1 }] } },
    ],
    ['tops=x&filters=(&a=1&a=2&__proto__=1&__proto__=2&constructor&=&%E2%84%AA', {}],
    [`long=${'x'.repeat(4_001)}`, {}],
  ];
  for (const [query, expected] of values) {
    it(`reads ${query.slice(0, 60)}`, () => {
      expect(read(query)).to.deep.equal({ ...nothingGiven, ...expected });
    });
  }

  const choices: readonly [query: string, parameter: string, found: string, expected: string][] = [
    ['$format=yaml', '$format', 'yaml', "'json', 'jsonstream', 'xml', 'html', 'csv' or 'xlsx'"],
    ['$format=', '$format', 'nothing', "'json', 'jsonstream', 'xml', 'html', 'csv' or 'xlsx'"],
    ['$format=__proto__', '$format', '__proto__', "'json', 'jsonstream', 'xml', 'html', 'csv' or 'xlsx'"],
    ['$format=csv&$decimal=dot', '$decimal', 'dot', "'point' or 'comma'"],
    ['$showDomainValues=yes', '$showDomainDescriptions', 'yes', "'true', 'false', '1' or '0'"],
    ['$inlinecount=all', '$inlinecount', 'all', "'allpages' or 'none'"],
    ...['0', '-1', '1.5', 'ten', '', '1e1', '0x10', '+5', '$maximum', 'Infinity', '٣']
      .map(
        (found) =>
          [
            `$top=${encodeURIComponent(found)}`,
            '$top',
            found || 'nothing',
            "integer 1..80 or '$max'",
          ] as const,
      )
      .map(([query, parameter, found, expected]): [string, string, string, string] => [
        query,
        parameter,
        found,
        expected,
      ]),
    ['$skip=-1', '$skip', '-1', 'integer 0..10000'],
    ['$skip=10001', '$skip', '10001', 'integer 0..10000'],
    ['$useMinimumVersion=-1', '$useMinimumVersion', '-1', 'integer 0..1000000'],
    ['$useMinimumVersion=1000001', '$useMinimumVersion', '1000001', 'integer 0..1000000'],
    [
      `$useMinimumVersion=${'9'.repeat(400)}`,
      '$useMinimumVersion',
      `${'9'.repeat(40)}…`,
      'integer 0..1000000',
    ],
    ['$pageKey=', '$pageKey', 'nothing', 'page key'],
    ['$count=allpages', '$count', 'allpages', "'true', 'false', '1' or '0'"],
    ['$inlinecount=true', '$inlinecount', 'true', "'allpages' or 'none'"],
  ];
  for (const [query, parameter, found, expected] of choices) {
    it(`rejects ${query.slice(0, 60)}`, () => {
      expect(faultIn(query)).to.deep.equal({
        code: 'invalidParameterValue',
        parameters: { parameter, found, expected },
      });
    });
  }

  it('rejects an unknown $ parameter, and lists the $ parameters of the resource', () => {
    const common =
      '$access_token, $format, $lang, $db, $useMinimumVersion, $showDomainDescriptions, $select, $expand';
    const paging = '$top, $skip, $pageKey, $inlinecount, $filter, $orderby, $decimal';
    for (const [acceptance, known] of [
      [list, `${common}, ${paging}, search`],
      [plainList, `${common}, ${paging}`],
      [detail, common],
    ] as const) {
      for (const name of ['$order', '$__proto__', '$', '$constructor', `$s\u212aip`]) {
        expect(faultIn(`${encodeURIComponent(name)}=1`, acceptance)).to.deep.equal({
          code: 'unknownParameter',
          parameters: { parameter: name, known },
        });
      }
    }
  });

  for (const [query, parameter] of [
    ['$top=1&$top=1', '$top'],
    ['$Filter=&%24filter=', '$filter'],
    ['$showDomainValues=1&$showDomainDescriptions=1', '$showDomainDescriptions'],
    ['$access_token=a&$accessToken=a', '$access_token'],
    ['search=a&Search=b', 'search'],
    ['$count=true&$inlinecount=allpages', '$inlinecount'],
  ] as const) {
    it(`rejects a repeated parameter: ${query}`, () => {
      expect(faultIn(query)).to.deep.equal({ code: 'repeatedParameter', parameters: { parameter } });
    });
  }

  it('ignores a repeated search parameter if the resource has no search', () => {
    expect(read(`search=a&search=${'b+'.repeat(30)}`, plainList)).to.deep.equal(nothingGiven);
    expect(read('search=a', detail)).to.deep.equal(nothingGiven);
  });

  for (const name of ['$top', '$skip', '$pageKey', '$filter', '$orderby', '$inlinecount', '$decimal']) {
    it(`rejects ${name} for a single object, whatever the value`, () => {
      for (const query of [name, `${name.toUpperCase()}=1`]) {
        expect(faultIn(query, detail)).to.deep.equal({
          code: 'parameterNotAccepted',
          parameters: { parameter: name },
        });
      }
    });
  }

  it('rejects a format for whole lists if the resource is a single object', () => {
    for (const format of ['csv', 'xlsx']) {
      expect(faultIn(`$format=${format}`, detail)).to.deep.equal({
        code: 'exportOfOneObject',
        parameters: { format },
      });
    }
  });

  it('rejects parameters of paging together with a format for whole lists', () => {
    for (const format of ['csv', 'xlsx']) {
      for (const [query, parameter] of [
        ['$top=5', '$top'],
        ['$skip=0', '$skip'],
        ['$pageKey=a', '$pageKey'],
        ['$inlinecount=none', '$inlinecount'],
        ['$count=true', '$inlinecount'],
      ] as const) {
        for (const both of [`${query}&$format=${format}`, `$format=${format}&${query}`]) {
          expect(faultIn(both)).to.deep.equal({
            code: 'parameterOfPages',
            parameters: { parameter, format },
          });
        }
      }
    }
  });

  it('accepts the decimal separator only together with CSV', () => {
    for (const query of ['$decimal=comma', '$decimal=point&$format=xlsx', '$format=json&$decimal=comma']) {
      expect(faultIn(query)).to.deep.equal({ code: 'decimalWithoutCsv', parameters: {} });
    }
  });

  it('accepts all other options for a single object', () => {
    const query =
      '$lang=eng&$db=A&$select=Name&$expand=x&$format=xml&$showDomainValues=1&$useMinimumVersion=3&a=b';
    expect(read(query, detail)).to.include({
      format: 'xml',
      useMinimumVersion: 3,
      showDomainDescriptions: true,
    });
  });

  it('accepts values up to the limit, measured in characters', () => {
    const text = (length: number) => `a eq '${'😀'.repeat(length - 7)}'`;
    const parameters = (length: number) => [{ name: '$filter', value: text(length) }];
    expect(readQueryOptions(parameters(16_000), list).filter?.text).to.equal(text(16_000));
    expect(faultOf(() => readQueryOptions(parameters(16_001), list))).to.deep.equal({
      code: 'parameterTooLong',
      parameters: { parameter: '$filter', length: '16001', limit: '16000' },
    });
    expect(read(`$pageKey=${'x'.repeat(4_000)}`).pageKey).to.have.length(4_000);
    for (const name of ['$pageKey', '$select', '$orderby', '$expand', '$db', '$top', 'search']) {
      expect(faultIn(`${name}=${'x'.repeat(4_001)}`)).to.deep.equal({
        code: 'parameterTooLong',
        parameters: { parameter: name, length: '4001', limit: '4000' },
      });
    }
  });

  it('accepts 20 words in a search, but not 21', () => {
    expect(faultIn(`search=${'a+'.repeat(21)}`)).to.deep.equal({
      code: 'expressionTooLarge',
      parameters: { parameter: 'search', measure: 'words', limit: '20' },
    });
  });

  for (const [query, found] of [
    ['$filter=RunTime gt 1 & SetupTime gt 1', 'SetupTime gt 1'],
    ["$filter=RunTime gt 1&not (ProductName eq 'a=b')", "not (ProductName eq 'a"],
    ['search=Tom+&+Jerry', 'Jerry'],
    [`a+${'b'.repeat(50)}`, `a ${'b'.repeat(38)}…`],
  ] as const) {
    it(`rejects a parameter that an unencoded & has split: ${query}`, () => {
      expect(faultIn(query)).to.deep.equal({ code: 'brokenParameter', parameters: { found } });
    });
  }

  it('refuses a known name without its dollar sign, unless the resource has a parameter of this name', () => {
    const names = {
      ...{ filter: '$filter', Top: '$top', orderby: '$orderby', EXPAND: '$expand', select: '$select' },
      ...{
        format: '$format',
        lang: '$lang',
        db: '$db',
        skip: '$skip',
        pagekey: '$pageKey',
        count: '$inlinecount',
      },
      ...{ inlinecount: '$inlinecount', access_token: '$access_token', decimal: '$decimal' },
    };
    for (const [parameter, right] of Object.entries(names)) {
      for (const kind of ['list', 'detail'] as const) {
        const code = 'parameterWithoutDollar';
        expect(faultIn(`${parameter}=1`, { ...list, kind })).to.deep.equal({
          code,
          parameters: { parameter, right },
        });
      }
      expect(
        read(`${parameter}=1`, { ...list, own: [{ name: parameter, isRequired: false }] }).own,
      ).to.have.lengthOf(1);
    }
  });

  it('refuses parameters of other resources that would change the rows, and ignores other unknown names', () => {
    for (const parameter of ['from', 'TO', 'compareFrom', 'compareto', 'kind', 'ids']) {
      const code = 'parameterOfOthers';
      expect(faultIn(`${parameter}=2026-01`)).to.deep.equal({ code, parameters: { parameter } });
      expect(
        read(`${parameter}=1`, { ...list, own: [{ name: parameter, isRequired: false }] }).own,
      ).to.have.lengthOf(1);
    }
    expect(read('view=a&filters=b&fromto=c&_=1')).to.deep.equal(nothingGiven);
  });

  it('refuses a blank month, which would give all rows', () => {
    const own = [
      { name: 'from', isRequired: false, month: {} },
      { name: 'to', isRequired: false, month: { notBefore: 'from' } },
    ];
    const takesMonths = { ...list, own };
    for (const query of ['from=', 'to=', 'from=+', 'from=2026-01&to=']) {
      expect(faultIn(query, takesMonths), query).to.have.property('code', 'invalidParameterValue');
    }
    expect(read('to=2026-01', takesMonths).own).to.deep.equal(new Map([['to', '2026-01']]));
    expect(read('', takesMonths).own).to.deep.equal(new Map());
  });

  it('ignores an empty parameter and a parameter without a name', () => {
    for (const query of ['%20=1', '+', '&&', '$top=2& &', '=1'])
      expect(() => read(query, list), query).not.to.throw();
  });

  it('accepts an encoded & in a value', () => {
    expect(read('search=Tom+%26+Jerry&SetupTime&a%26b=1').search).to.deep.equal(['Tom', '&', 'Jerry']);
  });

  it('rejects $skip together with the key of a page', () => {
    expect(faultIn('$skip=0&$pageKey=a')).to.deep.equal({ code: 'skipWithPageKey', parameters: {} });
  });

  it('reports only the first error in the query', () => {
    expect(faultIn('$nonsense&$top=1&$top=2')).to.have.property('code', 'unknownParameter');
    expect(faultIn('$top=1&$top=2&$nonsense')).to.have.property('code', 'repeatedParameter');
  });
});
