import { newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { orThrow } from '@takt/client';
import { expect } from 'chai';
import { addressOf } from '../src/read-documents.js';
import { startTestService, type TestService } from './support/test-service.js';

describe('the client of a running service', function () {
  this.timeout(180_000);
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });
  after(async () => await service?.close());

  it('reads the metadata of a resource, with the requested expansions', async () => {
    const { value } = orThrow(
      await service.takt.metadata('/product/products', { expand: ['URIParameters', 'Description'] }),
    );
    const { metadata } = await service.ask(
      '/metadata?uri=%2Fproduct%2Fproducts&$expand=URIParameters,Description',
    );
    expect(value).to.deep.equal(metadata);
    expect(value.sortableFields.map(({ name }) => name)).to.deep.equal(['ProductId', 'ProductKey', 'Name']);
    expect(value.description).to.match(/products/);
  });

  it('reads the session of its token', async () => {
    const { value } = orThrow(await service.takt.session());
    expect(value).to.include({ database: 'TEM-NO', pid: null, customerId: null });
  });

  it('reads the possible values of a field in the language of the client or of the call', async () => {
    const read = async (language: string) =>
      orThrow(await service.takt.domainValues('Product', 'Status', { language })).items;
    const values = await read('nob');
    expect(values.map(({ key }) => key)).to.deep.equal(['2', '3', '4', '5', '6', '7', '9']);
    expect(values[0]).to.deep.equal({ key: '2', description: 'ny', priority: 1 });
    const german = service.open({ language: 'deu' });
    expect(orThrow(await german.domainValues('Product', 'Status')).items).to.deep.equal(await read('deu'));
  });

  it('reads the description of every parameter of a resource, and can send each parameter', () => {
    let count = 0;
    for (const { parameters = [] } of resourceFamilies.map(newestOf)) {
      for (const { name } of parameters) {
        expect(addressOf('/x', { [name]: 'a b' })).to.equal(`/x?${name}=a+b`);
        count += 1;
      }
    }
    expect(count).to.be.above(3);
  });
});
