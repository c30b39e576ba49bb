import { newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { elementsAt, opened, parseXml } from '@takt/test-support';
import { expect } from 'chai';
import { insertStructureVersions } from '../support/insert-rows.js';
import { jsonAt } from '../support/json-at.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';
import { askingWith, batchOf, errorsIn, responsesIn, statusesIn } from './ask-batch.js';

const MESSAGES = '/system/error-messages?$top=2';
const PRODUCT = '/product/products/1';
const identifiers = resourceFamilies.map((family) => newestOf(family).identifier);
const SESSION = '/system/sessions/current';

describe('the requests of a batch', () => {
  const api = opened(serveApi);
  let token: string;
  let ask: ReturnType<typeof askingWith>;

  before(async () => {
    await insertStructureVersions(api.owner, [{ id: 1 }, { id: 2 }]);
    token = await api.createToken('TEM-NO');
    ask = askingWith(api.client, token);
  });

  const errorOf = async (target: string) => {
    const { status, text } = await ask(target);
    const error = JSON.parse(text);
    return { status, id: jsonAt(error, 'errorMessage.errorMessageId'), message: jsonAt(error, 'message') };
  };

  it('are answered in one JSON document with each address and name; a failed request gets an error', async () => {
    const uris = [MESSAGES, 'product/products/99', PRODUCT];
    const answer = await ask(batchOf(uris));
    expect(answer.status).to.equal(200);
    expect(identifiers, 'a resource of its own').not.to.include(9021);
    expect(answer.headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'resource-id': '9021',
      'resource-version': '1',
      'cache-control': 'private, no-cache',
    });
    const { resources } = JSON.parse(answer.text);
    expect(resources.map(({ uri, batchId }: Record<string, unknown>) => [uri, batchId])).to.deep.equal(
      uris.map((uri, index) => [uri, `resource${index}`]),
    );
    expect(resources.map((one: object) => Object.keys(one))).to.deep.equal(
      uris.map(() => ['uri', 'batchId', 'response']),
    );
    expect(resources.map(({ response }: { response: object }) => Object.keys(response)[0])).to.deep.equal([
      ...['errorMessages', 'hTTPStatusCode', 'product'],
    ]);
  });

  it('are answered in one XML document', async () => {
    const uris = [MESSAGES, 'product/products/99?a=<&b', PRODUCT];
    for (const [beside, headers] of [
      ['$format=xml', {}],
      ['', { accept: 'application/xml' }],
    ] as const) {
      const { status, text, headers: answered } = await ask(batchOf(uris, beside), headers);
      expect([status, answered['content-type']]).to.deep.equal([200, 'application/xml; charset=utf-8']);
      const xml = parseXml(text);
      expect(xml.name).to.equal('Resources');
      const texts = (path: string) => elementsAt(xml, path).map((element) => element.text);
      expect(texts('Resource.Uri')).to.deep.equal(uris);
      expect(texts('Resource.BatchId')).to.deep.equal(['resource0', 'resource1', 'resource2']);
      expect(texts('Resource.Response.Error.HTTPStatusCode')).to.deep.equal(['404']);
      expect(elementsAt(xml, 'Resource.Response.ErrorMessages.ErrorMessage')).to.have.lengthOf(2);
      expect(texts('Resource.Response.Product.ProductId')).to.deep.equal(['1']);
    }
  });

  it('are answered in the order of their addresses in the batch, not of their numbers', async () => {
    const numbers = ['7', '0', '00012', '999999999999999999999', '3'];
    const query = numbers.map(
      (number) =>
        `${number === '3' ? 'RESOURCE' : 'resource'}${number}=${encodeURIComponent(`${PRODUCT}?n=${number}`)}`,
    );
    const { resources } = JSON.parse((await ask(`/batch?${query.join('&')}`)).text);
    expect(resources.map(({ batchId }: { batchId: string }) => batchId)).to.deep.equal([
      ...['resource7', 'resource0', 'resource00012', 'resource999999999999999999999', 'RESOURCE3'],
    ]);
    expect(resources.map(({ uri }: { uri: string }) => uri.replace(/.*=/, ''))).to.deep.equal(numbers);
  });

  it('must have an absolute address or a relative address, below the base URL', async () => {
    const uris = [
      ...['product/products/1', PRODUCT, `${SERVED_AT}${PRODUCT}`, `${SERVED_AT}${PRODUCT}?$select=Name`],
      ...['https://elsewhere.example/product/products/1', `${SERVED_AT}x${PRODUCT}`, '//product/products/1'],
      ...['/', '', '/docs', 'openapi.json', 'metrics', '/oauth2', 'oauth2/access_token', '/health/live'],
      ...['/product/products/', '/Product/products/1', '/product//products'],
    ];
    const answer = await ask(batchOf(uris));
    expect(statusesIn(answer)).to.deep.equal(uris.map((_, index) => (index < 4 ? 200 : 404)));
    expect(jsonAt(responsesIn(answer)[4], 'parameters.1.value')).to.equal(
      '/https://elsewhere.example/product/products/1',
    );
    expect(statusesIn(await ask(batchOf(['/product/structure-versions/compare?ids=1,2'])))).to.deep.equal([
      200,
    ]);
    expect(jsonAt(responsesIn(answer)[9], 'message'))
      .to.include('GET')
      .and.include('/docs');
  });

  it('use the language and the company of their own address only if the batch has none', async () => {
    const message = async (uri: string, beside = '') =>
      jsonAt(responsesIn(await ask(batchOf([uri], beside)))[0], 'translatedMessage');
    const [deu, eng] = [/Fehlermeldung/, /error message/i];
    expect(await message('/system/error-messages/100999?$lang=deu')).to.match(deu);
    expect(await message('/system/error-messages/100999?$lang=nob', '$lang=deu')).to.match(deu);
    expect(await message('/system/error-messages/100999', '$LANG=DEU')).to.match(deu);
    expect(await message('/system/error-messages/100999')).to.match(eng);
    const uris = [`${PRODUCT}?$db=OTHER`, PRODUCT];
    expect(statusesIn(await ask(batchOf(uris)))).to.deep.equal([403, 200]);
    expect(statusesIn(await ask(batchOf(uris, '$db=tem-no')))).to.deep.equal([200, 200]);
    const { status, id } = await errorOf(batchOf(uris, '$db=OTHER'));
    expect([status, id]).to.deep.equal([403, 100_101]);
  });

  it('use the format of the batch; their own addresses may repeat that format', async () => {
    const uris = [`${PRODUCT}?$format=jsonstream`, '/product/products?$FORMAT=JSON', '/product/products'];
    expect(statusesIn(await ask(batchOf(uris)))).to.deep.equal([200, 200, 200]);
    const inXml = await ask(batchOf([`${PRODUCT}?$format=xml`], '$format=xml'));
    expect(elementsAt(parseXml(inXml.text), 'Resource.Response.Product')).to.have.length(1);
    const streamed = await ask(batchOf(uris, '$format=jsonstream'));
    expect(streamed.headers).to.include({ 'transfer-encoding': 'chunked' });
    expect(statusesIn(streamed)).to.deep.equal([200, 200, 200]);
    for (const wrong of ['html', 'csv', 'xlsx', 'yaml', '']) {
      const { status, text } = await ask(batchOf(uris, `$format=${wrong}`), { accept: 'application/json' });
      const expected = wrong === 'html' ? /json.*xml/s : /'json', 'jsonstream' or 'xml'/;
      expect([status, expected.test(text)], text).to.deep.equal([400, true]);
    }
    const { headers } = await ask(batchOf([PRODUCT]), { accept: 'text/html' });
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  });

  it('cannot have another format than the batch; the error lists the permitted formats', async () => {
    const found = ['csv', 'XLSX', 'html', 'yaml', 'xml', ''];
    const uris = [
      ...found.map((format) => `/product/products?$top=2&${format === 'html' ? '%24' : '$'}Format=${format}`),
      PRODUCT,
      '/no/such/thing?$format=csv',
    ];
    const answer = await ask(batchOf(uris));
    expect(statusesIn(answer)).to.deep.equal([...found.map(() => 400), 200, 404]);
    for (const [index, format] of found.entries()) {
      const error = responsesIn(answer)[index];
      expect(jsonAt(error, 'errorMessage.errorMessageId'), format).to.equal(100_207);
      expect(jsonAt(error, 'parameters.0.value'), format).to.equal('$format');
      expect(jsonAt(error, 'parameters.1.value'), format).to.equal(format === '' ? 'nothing' : format);
      expect(jsonAt(error, 'message'), format).to.include("'json' or 'jsonstream'");
    }
    const ofXml = uris.map((uri) => uri.replace('=xml', '=json'));
    const { text } = await ask(batchOf(ofXml, '$format=xml'));
    const errors = elementsAt(parseXml(text), 'Resource.Response.Error.HTTPStatusCode');
    expect(errors.map((error) => error.text)).to.deep.equal([...found.map(() => '400'), '404']);
  });

  it('use only the token of the batch, in every way that single requests permit', async () => {
    const [, other] = [token, await api.createToken('OTHER')];
    const uris = [SESSION, `${SESSION}?$access_token=${other}`, `${SESSION}?%24ACCESSTOKEN=${other}`];
    for (const [beside, headers] of [
      ['', { authorization: `Bearer ${token}` }],
      [`$access_token=${token}`, {}],
      [`$accessToken=${token}`, {}],
      ['', { cookie: `__Host-takt_session=${token}` }],
    ] as const) {
      const answer = await api.client.get(batchOf(uris, beside), headers);
      expect(errorsIn(answer), beside).to.deep.equal([undefined, 100_249, 100_249]);
      expect(jsonAt(responsesIn(answer)[0], 'session.database')).to.equal('TEM-NO');
      expect(answer.text).not.to.include(other).and.not.include(token);
    }
  });

  it('are all rejected if the batch has no valid token', async () => {
    for (const target of [batchOf([PRODUCT]), '/batch', batchOf([`${PRODUCT}?$access_token=${token}`])]) {
      const { status, text, headers } = await api.client.get(target);
      expect([status, headers['www-authenticate']]).to.deep.equal([403, 'Bearer error="invalid_token"']);
      expect(Object.keys(JSON.parse(text))[0]).to.equal('hTTPStatusCode');
    }
  });

  it('are checked for permissions one by one', async () => {
    const limited = await api.createToken('TEM-NO', { permissions: ['error-messages'] });
    const answer = await askingWith(api.client, limited)(batchOf([MESSAGES, PRODUCT, SESSION]));
    expect(errorsIn(answer)).to.deep.equal([undefined, 100_102, undefined]);
  });

  it('are all rejected if the batch cannot be parsed', async () => {
    const twentyOne = Array.from({ length: 21 }, () => PRODUCT);
    for (const [target, id, told] of [
      ['/batch', 100_245, 'resource0='],
      ['/batch?resource=%2Fproduct%2Fproducts', 100_245, 'resource0='],
      [batchOf(twentyOne), 100_246, '21'],
      [`${batchOf([PRODUCT, PRODUCT])}&resource01=x`, 100_204, 'resource01'],
      [`${batchOf([PRODUCT])}&Resource0=x`, 100_204, 'Resource0'],
      ['/batch?resource0=/product/products?$top=1&$skip=2', 100_247, '$skip'],
      [`${batchOf([PRODUCT])}&$selec=x`, 100_247, '$selec'],
      [`${batchOf([PRODUCT])}&$expand=PagingDetails`, 100_247, '$expand'],
      [`${batchOf([PRODUCT])}&$lang=deu&$LANG=nob`, 100_204, '$lang'],
      [`${batchOf([PRODUCT])}&$format=json&$format=xml`, 100_204, '$format'],
      ['/batch?resource0=%00', 100_205, 'resource0'],
      ['/batch?resource0=%FF', 100_200, '11'],
    ] as const) {
      const error = await errorOf(target);
      expect([error.status, error.id], target).to.deep.equal([400, id]);
      expect(error.message).to.include(told);
    }
    expect((await ask(batchOf(twentyOne.slice(1)))).status).to.equal(200);
  });

  it('cannot be batches', async () => {
    const uris = ['/batch', batchOf([PRODUCT]), `${SERVED_AT}${batchOf([PRODUCT])}`, PRODUCT];
    expect(errorsIn(await ask(batchOf(uris)))).to.deep.equal([100_248, 100_248, 100_248, undefined]);
  });

  it('share one ETag, so that a client can avoid a second transfer of an unchanged answer', async () => {
    const target = batchOf([MESSAGES, '/product/products/99', '/docs']);
    const { headers } = await ask(target);
    expect(headers.etag).to.match(/^W\/"/);
    const kept = await ask(target, { 'if-none-match': String(headers.etag) });
    expect([kept.status, kept.text]).to.deep.equal([304, '']);
    const head = await api.client.send('HEAD', target, { authorization: `Bearer ${token}` });
    expect([head.status, head.headers.etag, head.text]).to.deep.equal([200, headers.etag, '']);
    const german = await ask(`${target}&$lang=deu`, { 'if-none-match': String(headers.etag) });
    expect([german.status, german.headers['content-language']]).to.deep.equal([200, 'de']);
  });

  it('are accepted only with GET', async () => {
    const { status } = await api.client.send('POST', batchOf([PRODUCT]), {
      authorization: `Bearer ${token}`,
    });
    expect(status).to.equal(404);
  });

  it('each count against the request limit of the token', async () => {
    const { client, close } = await api.serveBeside({ requestsPerMinute: 5 });
    const limited = askingWith(client, token);
    expect(statusesIn(await limited(batchOf([PRODUCT, '/docs', PRODUCT])))).to.deep.equal([200, 404, 200]);
    expect(statusesIn(await limited(batchOf([PRODUCT, PRODUCT, PRODUCT])))).to.deep.equal([200, 200, 200]);
    const spent = await limited(batchOf([PRODUCT, PRODUCT]));
    expect([spent.status, ...statusesIn(spent)]).to.deep.equal([200, 500, 500]);
    expect((await limited(PRODUCT)).status).to.equal(500);
    await close();
  });
});
