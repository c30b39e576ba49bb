import {
  type ErrorCode,
  type ErrorParameters,
  type ErrorWord,
  errorCatalogue,
  type Phrase,
  ServiceError,
} from '@takt/catalogue/errors';
import type { Node } from '@takt/catalogue/resources';
import type { ApiAnswer, Service } from '@takt/http';
import { limits, textTests, valueFunctions } from '@takt/query';
import { opened } from '@takt/test-support';
import { type Language, languages, translatedTexts } from '@takt/texts';
import { expect } from 'chai';
import { createService } from '../../src/service/create-service.js';
import { openTestApi } from '../support/open-test-api.js';
import { companyOf, grantFor, requestOf, routeAt, wholeOf } from '../support/requests.js';
import { applicationVersion, errorMessage, errorMessages, productionTimes } from '../support/resources.js';

/** Words that may occur in an English text and in its translation, by language. */
const SHARED: Readonly<Partial<Record<Language, string>>> = {
  nob: 'parameter type for send administrator token',
  swe: 'operation version position parameter text token filter batch',
  dan: 'operation version position parameter type for send filter administrator end token array batch',
  deu: 'parameter position text in an filter link client minute token array header bytes',
  fra: 'date page version versions position conditions type structure application applications message messages service client minute',
  spa: 'decimal use control token no error bytes array',
  pol: 'token to',
};

/** Matches the names of the interface and the protocol, which no language translates. */
const NAMES =
  /\$\w+(?:=\w+)?|'[^']*'|Retry-After|X-Request-Id|Authorization: Bearer <token>|skipInvalid=true|PagingDetails, Keys|data\.database|resource\d+|Content-(?:Type|Encoding|Length)|gzip|HTTP|URL|UTF|GET|HEAD|\bHost\b|\b[Bb]yte\b|\bnot\b|\band\b|\bs\b/g;

const many = (count: number, text: string, joint: string) => new Array(count).fill(text).join(joint);

/** Query strings for the list of production times. Together they cause every error that a query string can have. */
const QUERIES: readonly string[] = [
  ...[
    '$tpo=1',
    '$top=1&$top=2',
    '$top=x',
    '$top=',
    '$skip=-1',
    '$skip=1&$pageKey=x',
    '$pageKey=',
    '$pageKey=x',
  ],
  ...[
    '$format=yaml',
    '$inlinecount=all',
    '$count=maybe',
    '$showDomainDescriptions=7',
    '$useMinimumVersion=x',
  ],
  ...['$useMinimumVersion=99', '$expand=Colour', '$expand=1', '$expand=PagingDetails,', '$select=Colour'],
  ...['$select=Product.', '$select=,', '$orderby=Colour', '$orderby=RunTime up', '$orderby=RunTime,RunTime'],
  ...[
    '$orderby=1',
    `$orderby=${many(5, 'RunTime', ',')}`,
    '$filter=RunTime gt 1 & SetupTime gt 1',
    'a=%zz',
    '$filter=%00',
  ],
  ...[
    '$filter=Colour eq 1',
    '$filter=Product/Colour eq 1',
    '$filter=colour(RunTime) eq 1',
    '$filter=RunTime',
  ],
  ...[
    '$filter=RunTime eq',
    "$filter=ProductName eq 'a",
    '$filter=RunTime in ()',
    '$filter=RunTime in (1',
    '$filter=not1 eq 1)',
  ],
  ...[
    "$filter=not'a' eq ProductName",
    "$filter=RunTime eq contains(ProductName,'a')",
    '$filter=RunTime eq 1x',
  ],
  ...[
    '$filter=RunTime eq 1e999',
    "$filter=RunTime eq 'a'",
    '$filter=ProductName eq 1',
    '$filter=true lt false',
  ],
  ...['$filter=1 eq true', "$filter=contains(ProductName,'a') eq 1", `$filter=${many(30, '(', '')}`],
  ...[`$filter=${many(1_001, 'true eq true', ' or ')}`, `$filter=RunTime in (${many(1_001, '1', ',')})`],
  ...[`$filter=1 eq ${many(102, '1', ' add ')}`, `$filter=1 eq ${many(60, '1e20', ' mul ')}`],
  ...[`$filter=${'x'.repeat(limits.filterCharacters + 1)}`, `$db=${'x'.repeat(limits.valueCharacters + 1)}`],
  ...[`a=${'x'.repeat(limits.queryStringCharacters)}`, many(51, 'a=1', '&'), '$db=FOREIGN'],
];

interface Told {
  readonly message: string;
  readonly translatedMessage: string;
  readonly errorMessage: { readonly errorMessageId: number };
  readonly parameters: readonly { readonly value: string }[];
}

describe('the translation of an error', () => {
  const api = opened(openTestApi);
  let service: Service;
  before(async () => {
    const grant = grantFor([companyOf(api)]);
    const findToken = async (token: string) => (token === 'known' ? grant : undefined);
    service = createService({ ...api, findToken });
  });

  const ask = async (
    { path }: { readonly path: string },
    query: string,
    pathParameters: Readonly<Record<string, string>> = {},
    token = 'known',
  ): Promise<Told> => {
    const headers = { authorization: `Bearer ${token}` };
    const request = requestOf({ path, queryText: query, headers, pathParameters });
    return toldIn(await routeAt(service.routes, path).answer(request));
  };

  const raised = new Set<number>();

  for (const language of languages) {
    const untranslated = new Set<string>();
    beforeEach(() => untranslated.clear());

    const readWords = (told: Told, sent: string): void => {
      raised.add(told.errorMessage.errorMessageId);
      if (language === 'eng') {
        expect(told.translatedMessage).to.equal(told.message);
        return;
      }
      const english = wordsOf(told.message, sent);
      const shared = new Set(SHARED[language]?.split(' '));
      for (const text of [told.translatedMessage, ...told.parameters.map(({ value }) => value)]) {
        const left = wordsOf(text, sent).filter((word) => english.includes(word) && !shared.has(word));
        for (const word of left) untranslated.add(word);
      }
      for (const { value } of told.parameters) expect(told.translatedMessage).to.include(value);
    };

    it(`contains no English word for any wrong query: ${language}`, async () => {
      for (const query of QUERIES) {
        const encoded = query.replaceAll(' ', '+');
        readWords(await ask(productionTimes, `$lang=${language}&${encoded}`), query);
      }
      const detail = { applicationId: 'x', applicationVersionId: '1' };
      for (const [resource, path] of [
        [applicationVersion, detail],
        [applicationVersion, { applicationId: '10000', applicationVersionId: '100' }],
        [errorMessage, { errorMessageId: '199999' }],
      ] as const) {
        readWords(await ask(resource, `$lang=${language}`, path), '');
      }
      readWords(await ask(applicationVersion, `$lang=${language}&$top=1`, detail), '');
      readWords(await ask(errorMessages, `$lang=${language}&search=${many(21, 'x', '+')}`), '');
      readWords(await ask(errorMessages, `$lang=${language}`, {}, 'unknown'), '');
      expect([...untranslated]).to.deep.equal([]);
    });

    it(`contains no English word for any error of the catalogue and any parameters: ${language}`, () => {
      const words = (Object.keys(translatedTexts.nob.phrases) as Phrase[]).map(
        (phrase): ErrorWord => ({ phrase, values: ['7', '8'] }),
      );
      for (const [code, { parameters }] of Object.entries(errorCatalogue)) {
        const values = parameters.map((name) => {
          const takesWords = ['expected', 'measure', 'found', 'field', 'rule', 'got'].includes(name);
          return [name, takesWords ? [{ token: 'x' }, ...words] : '7'];
        });
        const error = new ServiceError(
          code as ErrorCode,
          Object.fromEntries(values) as ErrorParameters<ErrorCode>,
        );
        const request = requestOf({ queryText: `$lang=${language}` });
        readWords(toldIn(service.answerError(error, request)), '');
      }
      expect([...untranslated]).to.deep.equal([]);
    });
  }

  it('has been checked for every error of the catalogue', () => {
    const missing = Object.values(errorCatalogue).filter(({ errorMessageId }) => !raised.has(errorMessageId));
    expect(missing).to.deep.equal([]);
  });
});

/** The names of fields, groups, functions and parameters of the interface. */
const FIELDS: ReadonlySet<string> = new Set([
  ...[productionTimes, errorMessages].flatMap(({ fields, element }) => [element, ...namesIn(fields)]),
  ...Object.keys({ ...textTests, ...valueFunctions }),
  ...namesIn(productionTimes.totals === undefined ? [] : [productionTimes.totals]),
  'search',
]);

function namesIn(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap((node) => [node.name, ...(node.kind === 'group' ? namesIn(node.children) : [])]);
}

function toldIn(answer: ApiAnswer): Told {
  const told: Told = JSON.parse(wholeOf(answer).toString());
  expect(told.message, 'an error').to.be.a('string');
  return told;
}

/** Returns the words of a text in lower case. Leaves out names, and words that the client has sent. */
function wordsOf(text: string, sent: string): readonly string[] {
  const own = text.replaceAll(NAMES, ' ').match(/\p{L}{2,}/gu) ?? [];
  const theirs = new Set(sent.match(/\p{L}+/gu) ?? []);
  return own
    .filter((word) => !theirs.has(word) && !FIELDS.has(word) && !/\p{Lu}/u.test(word.slice(1)))
    .map((word) => word.toLowerCase());
}
