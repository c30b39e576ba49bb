import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { createOpenApi } from '../../src/metadata/create-open-api.js';
import { createXmlSchema } from '../../src/metadata/create-xml-schema.js';
import { compileSchemas } from '../metadata/compile-schemas.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';
import { askingWith, batchOf } from './ask-batch.js';

const URIS = [
  ...['/system/error-messages?$top=2', '/system/sessions/current', '/product/products/99', 'nothing'],
  ...['/product/products', '/system/domain-values/applicable-values?object=Product&field=Type', '/batch'],
];

describe('the documentation of a batch', () => {
  const api = opened(serveApi);
  let ask: ReturnType<typeof askingWith>;

  before(async () => {
    ask = askingWith(api.client, await api.createToken('TEM-NO'));
  });

  it('has a JSON schema that accepts all answers, and rejects an answer with a missing part', async () => {
    const { findFaults } = compileSchemas();
    const document: { readonly resources: readonly object[] } = JSON.parse((await ask(batchOf(URIS))).text);
    expect(findFaults('Batch', document)).to.deep.equal([]);
    const [first] = document.resources;
    for (const name of ['uri', 'batchId', 'response']) {
      const { [name]: _, ...others } = Object(first);
      expect(findFaults('Batch', { resources: [others] })).to.have.lengthOf(1);
    }
    expect(findFaults('Batch', { resources: [] })).to.have.lengthOf(1);
    expect(findFaults('Batch', { resources: Array.from({ length: 21 }, () => first) })).to.have.lengthOf(1);
  });

  it('has an XML schema that accepts all answers, including the documents inside', async () => {
    using schema = XmlDocument.fromString(createXmlSchema());
    using validator = XsdValidator.fromDoc(schema);
    const validate = (text: string) => {
      using document = XmlDocument.fromString(text);
      validator.validate(document);
    };
    const { text } = await ask(batchOf(URIS, '$format=xml'));
    validate(text);
    for (const [whole, broken] of [
      ['<Pid', '<Nope/><Pid'],
      ['<HTTPStatusCode>404</HTTPStatusCode>', ''],
      ['<BatchId>resource1</BatchId>', ''],
    ] as const) {
      expect(text).to.include(whole);
      expect(() => validate(text.replace(whole, broken)), whole).to.throw();
    }
  });

  it('states the maximum number of addresses and the formats', () => {
    const [addresses, format] = Object(
      createOpenApi({ baseUrl: SERVED_AT }).paths['/batch']?.['get'],
    ).parameters;
    expect(addresses.schema).to.include({ minProperties: 1, maxProperties: 20 });
    expect(format.schema.enum).to.deep.equal(['json', 'jsonstream', 'xml']);
  });
});
