import { newestOf, type Resource, resourceFamilies } from '@takt/resources';
import { expect } from 'chai';
import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { createOpenApi } from '../../src/metadata/create-open-api.js';
import { createXmlSchema } from '../../src/metadata/create-xml-schema.js';
import { documentSchemaName } from '../../src/metadata/describe-schemas.js';
import { type ServedApi, serveApi } from '../harness/serve-api.js';
import { EVERYTHING, type ToldResource } from './told-resource.js';

/** The types of the documents of each kind that mean the same. */
const TYPES: Readonly<Record<string, { readonly json: readonly string[]; readonly xml: readonly string[] }>> =
  {
    Integer: { json: ['integer int64'], xml: ['xs:long'] },
    Decimal: { json: ['number'], xml: ['xs:decimal'] },
    Boolean: { json: ['boolean'], xml: ['xs:boolean'] },
    DateTime: { json: ['string date-time'], xml: ['xs:dateTime'] },
    String: { json: ['string', 'string uri'], xml: ['xs:string', 'xs:anyURI'] },
  };

const { components } = createOpenApi({ baseUrl: 'https://takt.example' });

/** A JSON Schema, or the one that it refers to. */
function resolved(schema: unknown): Readonly<Record<string, unknown>> {
  const { $ref } = Object(schema);
  return typeof $ref === 'string'
    ? resolved(components.schemas[$ref.split('/').at(-1) ?? ''])
    : Object(schema);
}

/** What the schema of a JSON document has at each path, with its type. */
function jsonTypesIn(schema: unknown, path: string): readonly (readonly [path: string, type: string])[] {
  const { properties, items, anyOf, type, format } = resolved(schema);
  if (items !== undefined) return jsonTypesIn(items, `${path}[]`);
  if (Array.isArray(anyOf)) return jsonTypesIn(anyOf.at(-1), path);
  if (properties === undefined) {
    const [plain] = [type].flat().filter((one) => one !== 'null');
    return [[path, format === undefined ? String(plain) : `${plain} ${format}`]];
  }
  return Object.entries(Object(properties)).flatMap(([name, inner]) =>
    jsonTypesIn(inner, path === '' ? name : `${path}.${name}`),
  );
}

function jsonTypesOf(resource: Resource): ReadonlyMap<string, string> {
  const [first] = Object.values(
    Object(resolved(components.schemas[documentSchemaName(resource)])['properties']),
  );
  return new Map(jsonTypesIn(resource.kind === 'list' ? resolved(first)['items'] : first, ''));
}

describe('the type that /metadata tells of a field', () => {
  let api: ServedApi;
  let token: string;
  let xmlSchema: XmlDocument;

  before(async () => {
    api = await serveApi();
    token = await api.createToken('TEM-NO');
    xmlSchema = XmlDocument.fromString(createXmlSchema());
  });
  after(async () => {
    xmlSchema?.dispose();
    await api?.close();
  });

  const xs = { xs: 'http://www.w3.org/2001/XMLSchema' };

  /** The types of the elements of a name, by the names of all that stand around it in the schema of a document. */
  const xmlTypesOf = ({ element, ...resource }: Resource, name: string): readonly string[] => {
    const root = resource.kind === 'list' ? resource.container : element;
    const around = `/xs:schema/*[self::xs:element[@name='${root}'] or self::xs:complexType[starts-with(@name, '${root}')]]`;
    const found = xmlSchema.find(`${around}//xs:element[@name='${name}'][@type]`, xs);
    return found.flatMap((node) => {
      const { attrs } = node as XmlElement;
      const type = attrs.find((attr) => attr.name === 'type')?.value ?? '';
      // An item has the name of a type of its own.
      return type.startsWith('xs:') ? [type] : [];
    });
  };

  for (const resource of resourceFamilies.map(newestOf)) {
    it(`is that of the schemas of its documents, and none is left out: ${resource.path}`, async () => {
      const target = `/metadata?uri=${encodeURIComponent(resource.path)}&${EVERYTHING}`;
      const { text } = await api.client.get(target, { authorization: `Bearer ${token}` });
      const { responseFields }: ToldResource = JSON.parse(text).metadata;
      const jsonTypes = jsonTypesOf(resource);
      for (const { name, path, datatype } of responseFields) {
        const types = TYPES[datatype];
        expect(jsonTypes.get(path), path).to.be.oneOf([...(types?.json ?? [])]);
        expect(xmlTypesOf(resource, name), name).to.include.oneOf([...(types?.xml ?? [])]);
      }
      const explained = responseFields.flatMap(({ path, hasDomainDescription }) =>
        hasDomainDescription ? `${path}Description` : [],
      );
      const told = [...responseFields.map(({ path }) => path), ...explained];
      // What a schema says of the values in items beyond that is never served.
      const inSchema = [...jsonTypes.keys()].filter(
        (path) => !/\[\].*Description$/.test(path) || told.includes(path),
      );
      expect([...inSchema].sort()).to.deep.equal(told.sort());
    });
  }
});
