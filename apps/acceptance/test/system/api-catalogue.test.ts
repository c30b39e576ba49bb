import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorEntry, errorCatalogue } from '@takt/catalogue/errors';
import { opened } from '@takt/test-support';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import { openTestApi } from '../support/test-api.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const SCANNED = [
  ...['apps/api/src', 'apps/intake/src'],
  ...['packages/access/src', 'packages/http/src', 'packages/query/src', 'packages/catalogue/src/resources'],
];

/**
 * Files that may throw errors without an entry in the catalogue. Each value describes these errors. A client would see
 * only internalError.
 */
const PROGRAMMING_ERRORS: Readonly<Record<string, string>> = {
  'apps/api/src/open-servers.ts': 'a look-up with no server to ask',
  'apps/api/src/sql/watch-replica.ts': 'a server without an answer, which counts as away',
  'apps/intake/src/event-errors.ts': 'an event that is left out for nothing, which judging never gives',
  'apps/api/src/metadata/describe-schemas.ts':
    'two definitions with one name; found when the document is made',
  'apps/api/src/computed/computed-row.ts': 'an object without what its definition has; none is made so',
  'apps/api/src/sql/statement-cache.ts':
    'a statement for an object that no table holds, which is made instead',
  'apps/api/src/sql/operand-sql.ts': 'a definition of a field without a source, or that cannot be ordered by',
  'apps/api/src/sql/read-sql.ts': 'an order without its key, which resolveOrder never gives',
  'apps/api/src/plan/resolve-question.ts': 'a list without a parent, of which nothing can be missing',
  'apps/api/src/docs/render-document.ts': 'a document without a title; all are rendered by a test',
  'apps/api/src/representations/export/export-columns.ts':
    'an outline that is not of its resource, or a collection as a cell; columns are made without any',
  'apps/api/src/representations/export/xlsx-writer.ts':
    'more rows than were counted before the first was written; the connection breaks off',
  'apps/api/src/representations/export/zip.ts': 'a file larger than its container; the connection breaks off',
  'packages/access/src/access-tokens.ts': 'a token without a company; made by the operator, not by a request',
  'packages/access/src/api-clients.ts': 'a client that the operator describes wrongly',
  'packages/access/src/grants.ts': 'a function of the database without a row',
  'packages/access/src/users.ts': 'a person whom the operator describes wrongly',
  'packages/catalogue/src/resources/definitions/items-sql.ts':
    'a definition of an item that no row of a table has; found when the program starts',
  'packages/catalogue/src/resources/registry.ts': 'a definition whose key needs a duty of its own',
};

interface ListedMessage {
  readonly status: string;
  readonly errorMessageId: number;
  readonly httpStatusCode: number;
  readonly namespace: string;
  readonly message: string;
  readonly availableTranslations: string;
}

describe('the catalogue of errors', () => {
  const service = opened(() => openTestApi({ companies: ['TEM-NO'] }));
  let listed: readonly ListedMessage[];

  before(async () => {
    const messages: ListedMessage[] = [];
    let link: string | null = `${service.api.baseUrl}/system/error-messages?$top=7`;
    while (link !== null) {
      const { text } = await service.client.follow(link);
      const document: { errorMessages: ListedMessage[]; paging: { nextPage: string | null } } =
        JSON.parse(text);
      messages.push(...document.errorMessages);
      link = document.paging.nextPage;
    }
    listed = messages;
  });

  it('is listed completely, page by page, with the status and namespace of each error', () => {
    const expected = Object.values(errorCatalogue)
      .map(({ errorMessageId, status, namespace, texts }) => [errorMessageId, status, namespace, texts.eng])
      .sort(([one], [other]) => Number(one) - Number(other));
    const served = listed.map((one) => [one.errorMessageId, one.httpStatusCode, one.namespace, one.message]);
    expect(served).to.deep.equal(expected);
  });

  it('serves every message at its own address, with the text in every language', async () => {
    for (const definition of Object.values(errorCatalogue)) {
      const { text } = await service.client.get(`/system/error-messages/${definition.errorMessageId}`);
      const { errorMessage } = JSON.parse(text);
      const translations: readonly { readonly language: string; readonly message: string }[] =
        errorMessage.translations;
      expect(Object.fromEntries(translations.map((one) => [one.language, one.message]))).to.deep.equal(
        definition.texts,
      );
      expect(translations).to.have.lengthOf(languages.length).and.to.have.length.of.at.least(8);
      expect(errorMessage.availableTranslations).to.equal(languages.toSorted().join(','));
      expect(errorMessage.technicalDescription).to.equal(definition.technicalDescription);
    }
  });

  it('can be filtered, ordered and searched like any list', async () => {
    const read = async (parameters: string): Promise<readonly number[]> => {
      const { text } = await service.client.get(`/system/error-messages?$top=$max&${parameters}`);
      return JSON.parse(text).errorMessages.map(({ errorMessageId }: ListedMessage) => errorMessageId);
    };
    const forbidden = listed.filter(({ httpStatusCode }) => httpStatusCode === 403);
    expect(await read('$filter=HttpStatusCode%20eq%20403')).to.deep.equal(
      forbidden.map((one) => one.errorMessageId),
    );
    expect(await read('search=permission%20found')).to.deep.equal([101015]);
    const highestFirst = listed.map((one) => one.errorMessageId).reverse();
    expect(await read('$orderby=ErrorMessageId%20desc')).to.deep.equal(highestFirst.slice(0, 80));
  });

  const sources = SCANNED.flatMap(readSources);

  it('contains only errors that a source file raises, and obsolete ones that none raises', () => {
    const entries: Readonly<Record<string, ErrorEntry>> = errorCatalogue;
    for (const [code, { errorMessageId, isObsolete = false }] of Object.entries(entries)) {
      const isRaised = sources.some(({ text }) => new RegExp(`['"]${code}['"]`).test(text));
      expect(isRaised, code).to.equal(!isObsolete);
      const { status } = listed.find((one) => one.errorMessageId === errorMessageId) ?? {};
      expect(status, code).to.equal(isObsolete ? '9' : '4');
    }
  });

  it('contains the code of every error that a source file raises', () => {
    const codes = sources.flatMap(({ text }) =>
      Array.from(text.matchAll(/new (?:ServiceError|QueryOptionError)\(\s*'(\w+)'/g), ([, code]) => code),
    );
    expect(codes.length).to.be.greaterThan(20);
    expect(codes.filter((code) => !Object.hasOwn(errorCatalogue, String(code)))).to.deep.equal([]);
  });

  it('contains every error text of the sources, except texts in files with listed programming errors', () => {
    // ServiceError and QueryOptionError take an error code, which is a single word. A text with a blank is therefore a
    // sentence.
    const prose = /throw new (?:(?:Error|TypeError|RangeError|SyntaxError)\(|\w+\(\s*['"`]\w+\s)/;
    const throwers = sources.filter(({ text }) => prose.test(text)).map(({ file }) => file);
    expect(throwers.sort()).to.deep.equal(Object.keys(PROGRAMMING_ERRORS).sort());
  });

  it('contains the text of every error answer, so no source file writes a sentence of its own into an answer', () => {
    const sentences = sources
      .filter(({ file }) =>
        /^(apps\/api\/src\/(service|query)|apps\/intake\/src|packages\/(query-options|http|access))\//.test(
          file,
        ),
      )
      .flatMap(({ file, text }) =>
        Array.from(
          text.matchAll(/\b(?:message|translatedMessage|body|ctx\.body)\s*[:=]\s*['"`][^'"`\n]* [^'"`\n]* /g),
          ([match]) => `${file}: ${match}`,
        ),
      );
    expect(sentences).to.deep.equal([]);
  });
});

interface Source {
  readonly file: string;
  /** The source text without comments. */
  readonly text: string;
}

function readSources(folder: string): readonly Source[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) => {
      const path = join(file.parentPath, file.name);
      const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      return { file: relative(ROOT, path), text };
    });
}
