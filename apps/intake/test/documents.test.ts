import { Validator } from '@seriousme/openapi-schema-validator';
import { eventDefinitions } from '@takt/events/internal';
import { completion, eventCorpus } from '@takt/test-support';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { BINARY_HEADERS, createOpenApi, EXAMPLES } from '../src/documents/open-api.js';
import { openTestIntake, type TestIntake } from './support/open-test-intake.js';
import { expectAccepted, post } from './support/post.js';

/** A content type with one example or with several named examples. */
interface Described {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly responses: object;
  readonly tags?: readonly string[];
  readonly description?: string;
}

/** Parses JSON. Returns undefined if the text is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

describe('the documentation of the intake', () => {
  let intake: TestIntake;
  before(async function () {
    intake = await openTestIntake('PostgreSQL', this);
  });
  after(() => intake?.close());
  afterEach(() => intake.drain());

  const get = async (path: string) => JSON.parse(await (await fetch(intake.origin + path)).text());

  it('is an OpenAPI document that an independent validator accepts', async () => {
    const document = await get('/openapi.json');
    expect(document).to.deep.equal(JSON.parse(JSON.stringify(createOpenApi())));
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors).to.equal(undefined);
    expect(result.valid).to.equal(true);
  });

  it('refers to no other files, so that client generators can read it', async () => {
    const document = await get('/openapi.json');
    const names = new Set<string>();
    const referred: string[] = [];
    JSON.stringify(document, (name, value) => {
      names.add(name);
      if (name === '$ref') referred.push(value);
      return value;
    });
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(known).to.include.members(referred);
    for (const name of ['$defs', '$id', '$schema']) expect(names.has(name), name).to.equal(false);
  });

  it('has an error answer, a tag and a description for every operation', async () => {
    const { paths } = await get('/openapi.json');
    for (const [path, operations] of Object.entries<object>(paths)) {
      for (const operation of Object.values<Operation>({ ...operations })) {
        expect(Object.keys(operation.responses), path).to.include('400');
        expect(operation.tags, path).to.have.lengthOf(1);
        expect(operation.description, path).to.match(/\.$/);
      }
    }
  });

  it('describes events as their JSON Schemas do', async () => {
    const { components } = await get('/openapi.json');
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    ajv.addSchema({ $id: 'doc', components });
    const validate = ajv.compile({ $ref: 'doc#/components/schemas/Event' });
    const { good, bad } = eventCorpus(
      eventDefinitions.map(({ type }) => type),
      'TEM-NO',
    );
    const schemas = await Promise.all(
      (await get('/')).schemas.map(async (path: string) => ajv.compile(await get(path))),
    );
    for (const { json } of [...good, ...bad]) {
      const value = parsed(json);
      const isValid = schemas.filter((judge) => judge(value)).length === 1;
      expect(validate(value), json.slice(0, 300)).to.equal(isValid);
    }
  });

  it('has accepted examples for every content type', async () => {
    const { content } = (await get('/openapi.json')).paths['/events'].post.requestBody;
    for (const [type, described] of Object.entries<Described>(content)) {
      const named = Object.entries(described.examples ?? {}).map(([name, { value }]) => ({ name, value }));
      for (const { name, value } of described.examples ? named : [{ name: '', value: described.example }]) {
        const headers = name === 'binary' ? BINARY_HEADERS : {};
        const count = value === EXAMPLES.lines || Array.isArray(value) ? 2 : 1;
        expectAccepted(await post(intake, value, { type, headers }), count);
      }
    }
  });

  it('has one JSON Schema for each type of event at the address in the index', async () => {
    const index = await get('/');
    expect(index.schemas).to.have.lengthOf(eventDefinitions.length);
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    const schemas = await Promise.all(index.schemas.map((path: string) => get(path)));
    const judged = schemas.filter((schema) => ajv.compile(schema)(completion(1)));
    expect(judged.map(({ title }) => title)).to.deep.equal(['work-order-operation.completed.v1']);
  });

  it('describes the answers to accepted and rejected requests', async () => {
    const { components, paths } = await get('/openapi.json');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', components });
    const valid = (name: string, value: unknown) => {
      const validate = ajv.compile({ $ref: `doc#/components/schemas/${name}` });
      expect(validate(value), JSON.stringify(validate.errors)).to.equal(true);
    };
    const events = [completion(1), {}, completion(2, { database: 'OTHER' })];
    const taken = await post(intake, events, { query: '?skipInvalid=1' });
    valid('Taken', taken.json);
    expect(taken.json.rejected).to.have.lengthOf(2);
    valid('Error', (await post(intake, events)).json);
    const { responses } = paths['/events'].post;
    expect(Object.keys(responses)).to.deep.equal(['202', '400', '403', '404', '500']);
    expect(responses['500'].headers).to.have.property('Retry-After');
  });
});
