import { filter, listOf, orThrow } from '@takt/client';
import { expect } from 'chai';
import { startTestService, type TestService } from './support/test-service.js';

const LIST = '/system/error-messages';

describe('the client of a running API', function () {
  this.timeout(180_000);
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });
  after(async () => await service?.close());

  it('reads a page exactly as the API sends it, and then each following page', async () => {
    let page = orThrow(await service.takt.list(LIST, { top: 10, count: true }));
    const { errorMessages, paging } = await service.ask(`${LIST}?$top=10&$inlinecount=allpages`);
    expect(page.items).to.deep.equal(errorMessages);
    expect(page.paging).to.deep.equal(paging);
    const rows = [...page.items];
    while (page.next !== undefined) {
      page = orThrow(await page.next());
      rows.push(...page.items);
    }
    expect(page.paging.nextPage).to.equal(null);
    expect(rows)
      .to.have.lengthOf(page.paging.size ?? 0)
      .above(40);
  });

  it('iterates over every row of all pages', async () => {
    const expected: unknown[] = [];
    for (let link: string | null = `${service.api.origin}${LIST}?$top=7`; link !== null; ) {
      const document = await service.ask(link.slice(service.api.origin.length));
      expected.push(...(document['errorMessages'] as unknown[]));
      link = (document['paging'] as { nextPage: string | null }).nextPage;
    }
    const rows: unknown[] = [];
    for await (const row of service.takt.each(LIST, { top: 7 })) rows.push(row);
    expect(rows).to.deep.equal(expected);
    expect(rows).to.have.length.above(40);
  });

  it('sends the same parameters for each page', async () => {
    const chosen = filter`HttpStatusCode eq ${400} and contains(Message, ${"'"}) eq false`;
    const identifiers: number[] = [];
    const options = {
      filter: chosen,
      orderBy: 'ErrorMessageId desc',
      select: ['errorMessageId'],
      top: 7,
    } as const;
    for await (const row of service.takt.each(LIST, options)) {
      expect(row).to.have.all.keys('errorMessageId');
      identifiers.push(row.errorMessageId);
    }
    expect(identifiers).to.have.length.above(20);
    expect(identifiers).to.deep.equal([...identifiers].sort((one, other) => other - one));
  });

  it('requests the next page only when the caller needs its first row', async () => {
    const asked: string[] = [];
    const takt = service.open({
      fetch: (input, init) => {
        asked.push(String(input));
        return fetch(input, init);
      },
    });
    for await (const { errorMessageId } of takt.each(LIST, { top: 10 })) {
      if (asked.length === 2) break;
      expect(errorMessageId).to.be.above(0);
    }
    expect(asked).to.have.lengthOf(2);
  });

  it('reads a single object, with descriptions and in another language if requested', async () => {
    const { value } = orThrow(
      await service.takt.get('/system/error-messages/{errorMessageId}', {
        errorMessageId: 100_100,
        descriptions: true,
        language: 'deu',
      }),
    );
    expect(value).to.include({ errorMessageId: 100_100, httpStatusCode: 403, statusDescription: 'aktiv' });
    expect(value.translations.map(({ language }) => language)).to.include('nob');
  });

  it('uses its own company and language, unless a call gives others', async () => {
    const asked: string[] = [];
    const takt = service.open({
      ...{ company: 'TEM-SE', language: 'swe' },
      fetch: (input, init) => {
        asked.push(decodeURIComponent(String(input)));
        return fetch(input, init);
      },
    });
    orThrow(await takt.list('/product/products'));
    orThrow(await takt.list('/product/products', { company: 'TEM-NO', language: 'nob' }));
    // Most programs are compiled without exactOptionalPropertyTypes, so they may give an option that is undefined.
    const unset = { company: undefined, language: undefined } as object;
    orThrow(await takt.list('/product/products', unset));
    orThrow(await takt.batch([listOf('/product/products', unset)]));
    expect(asked.map((address) => address.split('?')[1])).to.deep.equal([
      '$lang=swe&$db=TEM-SE',
      '$lang=nob&$db=TEM-NO',
      '$lang=swe&$db=TEM-SE',
      'resource0=/product/products',
    ]);
    expect(decodeURIComponent(asked.at(-1) ?? '')).to.match(
      /resource0=\/product\/products\?\$lang=swe&\$db=TEM-SE$/,
    );
  });

  it('sends its token only to its base URL, even if links lead elsewhere', async () => {
    const behindProxy = await startTestService({ baseUrlOf: () => 'http://takt.invalid' });
    const { paging } = orThrow(await behindProxy.takt.list(LIST, { top: 30 }));
    expect(paging.nextPage).to.match(/^http:\/\/takt\.invalid\//);
    let count = 0;
    for await (const _ of behindProxy.takt.each(LIST, { top: 30 })) count += 1;
    expect(count).to.be.above(40);
    await behindProxy.close();
  });

  it('can search, count, expand, and continue at the key of a page', async () => {
    const options = { search: 'page key', count: true, expand: ['PagingDetails'], top: 1 } as const;
    const { items, paging } = orThrow(await service.takt.list(LIST, options));
    expect(paging.size).to.be.above(1);
    const second = orThrow(await service.takt.list(LIST, { ...options, pageKey: paging.nextPageKey ?? '' }));
    expect(second.paging.position).to.equal(2);
    expect(second.items[0]?.errorMessageId).to.be.above(items[0]?.errorMessageId ?? 0);
  });

  it('rejects unknown options and invalid identifiers, even if the compiler did not check them', async () => {
    const ask = (options: object) => service.takt.list(LIST, options as never).catch(String);
    expect(await ask({ flter: 'true' })).to.equal('TypeError: there is no option flter');
    expect(await ask({ constructor: 'true' })).to.equal('TypeError: there is no option constructor');
    const missing = await service.takt.get('/product/products/{productId}', {} as never).catch(String);
    expect(missing).to.equal('TypeError: /product/products/{productId} needs productId');
    expect(() => service.open({ baseUrl: 'file:///etc' })).to.throw(TypeError, 'http://');
    expect(() => service.open({ baseUrl: 'takt' })).to.throw(TypeError);
  });
});
