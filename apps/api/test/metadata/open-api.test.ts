import { Validator } from '@seriousme/openapi-schema-validator';
import { errorCatalogue } from '@takt/catalogue/errors';
import {
  describedResource,
  jsonName,
  type ListResource,
  leavesOf,
  newestOf,
  queryFieldsOf,
  resourceFamilies,
} from '@takt/catalogue/resources';
import { parseQueryString, readQueryOptions } from '@takt/query';
import { TAKT_VERSION } from '@takt/run/version';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import { createOpenApi } from '../../src/metadata/create-open-api.js';
import { describeService } from '../../src/metadata/introduction.js';
import { examplePath, filterExamples, orderExamples } from '../../src/metadata/query-guide.js';
import { BASE_URL, compileSchemas } from './compile-schemas.js';
import { listOperations } from './list-operations.js';

/** Returns the content of every response in the document, but not of request bodies. */
function contentsOf(node: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, child]) => {
    if (name === 'requestBody') return [];
    return name === 'content' ? [Object(child)] : contentsOf(child);
  });
}

const resources = resourceFamilies.map(newestOf).map(describedResource);
const lists = resources.filter((resource): resource is ListResource => resource.kind === 'list');

describe('the OpenAPI document', () => {
  const document = createOpenApi({ baseUrl: BASE_URL });
  const operations = listOperations(document);

  it('passes an independent validator', async () => {
    const result = await new Validator().validate(structuredClone({ ...document }));
    expect(result.errors).to.equal(undefined);
    expect(result.valid).to.equal(true);
  });

  it('states the address of the service and the version of Takt', () => {
    expect(document['servers']).to.deep.equal([{ url: BASE_URL }]);
    expect(document['info']).to.include({ version: TAKT_VERSION });
  });

  it('lists every resource at its path, with a unique name for every operation', () => {
    for (const resource of resources) {
      expect(Object.keys(document.paths), resource.path).to.include(resource.path);
    }
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).to.equal(names.length);
    expect(names).to.include.members([
      'listErrorMessages',
      'getErrorMessage',
      'getApplicationVersion',
      'listProductStructureVersionAggregatedProductionTimes',
    ]);
  });

  it('also lists routes without a resource', () => {
    expect(Object.keys(document.paths)).to.include.members(['/health/live', '/health/ready', '/metrics']);
    expect(document.paths['/metrics']?.['servers']).to.deep.equal([{ url: 'https://takt.example' }]);
  });

  it('describes the token endpoint with its form, its answers and the flows', () => {
    const { schemas, securitySchemes } = document.components;
    const post = Object(document.paths['/oauth2/access_token']).post;
    const form = post.requestBody.content['application/x-www-form-urlencoded'].schema.$ref;
    const grants = Object(schemas[form.split('/').at(-1)]).properties.grant_type.enum;
    expect(grants).to.have.members(['client_credentials', 'password', 'refresh_token', 'authorization_code']);
    expect(Object.keys(post.responses)).to.deep.equal(['200', '400', '500']);
    expect(Object.keys(post.responses[400].headers)).to.deep.equal(['WWW-Authenticate', 'Retry-After']);
    expect(Object.keys(document.paths)).to.include('/oauth2/logout');
    const tokenUrl = `${BASE_URL}/oauth2/access_token`;
    const renewed = { tokenUrl, refreshUrl: tokenUrl, scopes: {} };
    expect(Object(securitySchemes).oauth2.flows).to.deep.equal({
      clientCredentials: { tokenUrl, scopes: {} },
      password: renewed,
      authorizationCode: { authorizationUrl: `${BASE_URL}/oauth2`, ...renewed },
    });
    const read = Object(document.paths['/system/error-messages']).get;
    expect(read.security).to.deep.include({ oauth2: [] });
  });

  it('has one content type per answer, JSON or plain text; the JSON examples match their schemas', () => {
    const { findFaults } = compileSchemas();
    const answers = contentsOf(document);
    expect(answers.length).to.be.greaterThan(10);
    for (const content of answers) {
      const [type, ...others] = Object.keys(content);
      expect(others, JSON.stringify(content)).to.deep.equal([]);
      if (type === 'text/plain') continue;
      expect(type).to.equal('application/json');
      const { schema, example } = Object(content['application/json']);
      expect(findFaults(String(schema.$ref).split('/').at(-1) ?? '', example)).to.deep.equal([]);
    }
  });

  it('lists the possible values of each parameter and domain', () => {
    const { parameters, schemas } = document.components;
    const parameterOf = (name: string) => Object(Object(parameters)[name]).schema;
    expect(parameterOf('Language').enum).to.deep.equal(languages);
    const documents = ['json', 'jsonstream', 'xml', 'html'];
    expect(parameterOf('Format').enum).to.deep.equal(documents);
    expect(parameterOf('FormatOfList').enum).to.deep.equal([...documents, 'csv', 'xlsx']);
    const { status, message } = Object(schemas['ErrorMessagesItem']).properties;
    expect(status.anyOf[0].enum).to.deep.equal(['1', '4', '9']);
    expect(status.description).to.include('Known values: 1 new, 4 active, 9 obsolete.');
    expect(message).not.to.have.any.keys('enum', 'anyOf');
    const listed = JSON.stringify(document.paths['/system/error-messages']);
    expect(listed).to.include(
      '{"anyOf":[{"type":"integer","minimum":1},{"type":"string","const":"$max"}],"default":10}',
    );
  });

  it('has no unresolved reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(references).not.to.have.lengthOf(0);
    for (const path of new Set(references)) {
      const target = path.split('/').reduce<unknown>((value, name) => Object(value)[name], document);
      expect(target, path).to.be.an('object').that.is.not.empty;
    }
  });

  it('documents filter, order and paging for lists, but not for details', () => {
    const ofLists = ['$filter', '$orderby', '$top', '$pageKey', '$skip', '$inlinecount'];
    for (const { path, parameters } of operations.filter(({ isResource }) => isResource)) {
      const taken = ofLists.filter((name) => parameters.includes(name));
      const isList = lists.some((list) => list.path === path);
      expect(taken, path).to.deep.equal(isList ? ofLists : []);
      expect(parameters, path).to.include.members(['$format', '$lang', '$db', '$select', '$expand']);
    }
  });

  it('documents search only for resources with searchable text', () => {
    for (const list of lists) {
      const operation = operations.find(({ path }) => path === list.path);
      expect(operation?.parameters.includes('search'), list.path).to.equal(list.searched.length > 0);
    }
  });

  it('names the permission and the duties for each resource, and lists every error with status 403', () => {
    for (const { path, clientPermission = null, duty = null, furtherDuty = null } of resources) {
      const operation = document.paths[path]?.['get'];
      expect(operation).to.include({ 'x-client-permission': clientPermission, 'x-duty': duty });
      const { description } = Object(operation);
      const needed = [clientPermission, duty, furtherDuty].filter((right) => right !== null);
      for (const right of needed) expect(description).to.include(`\`${right}\``);
      expect(description.endsWith('A valid token is enough.'), path).to.equal(needed.length === 0);
    }
    const { description } = Object(Object(document.components['responses'])['Forbidden']);
    for (const { status, errorMessageId } of Object.values(errorCatalogue)) {
      expect(description.includes(`Error message ${errorMessageId}:`)).to.equal(status === 403);
    }
  });

  it('names the additional duty of a field, and does not require such a field', () => {
    const { findFaults } = compileSchemas();
    for (const resource of resources) {
      const hidden = leavesOf(resource.fields).filter(({ duties }) => duties.length > 0);
      const name = resource.kind === 'list' ? `${resource.container}Item` : resource.element;
      const needing = new Set<string>();
      for (const { path, duties, node } of hidden) {
        let schema: unknown = document.components.schemas[name];
        const schemas = path.map((part) => (schema = Object(schema).properties[jsonName(part)]));
        // The note about the duty is at the field or at a group around the field. A note at a group is repeated at
        // everything inside the group.
        const saysSo = (one: unknown) => / Only with the duty `[a-z-]+`\.$/.test(Object(one).description);
        const depth = schemas.findIndex(saysSo);
        expect(depth, path.join('.')).to.be.at.least(0);
        for (const [inner, one] of schemas.entries()) {
          if (inner < depth) continue;
          expect(saysSo(one), path.join('.')).to.equal(true);
          needing.add(path.slice(0, inner + 1).join('.'));
        }
        // A field with a domain has a second field with the description. The second field has the note too.
        if (node.kind === 'field' && node.domain !== undefined) needing.add(`${path.join('.')}Description`);
        expect(schema).to.have.deep.property('x-duties', duties);
        const around = path.slice(0, depth).map(jsonName);
        const empty = around.reduceRight((inside, part) => ({ [part]: inside }), {});
        expect(findFaults(name, empty).join()).not.to.include(`'${jsonName(path[depth] ?? '')}'`);
        const { queryName } = node.kind === 'field' ? node : { queryName: undefined };
        if (queryName === undefined || resource.kind === 'detail') continue;
        const parameters = JSON.stringify(document.paths[resource.path]);
        expect(parameters).to.match(new RegExp(`\`${queryName}\` \\([^)]+\\) with \`${duties.join()}\``));
      }
      const said = JSON.stringify(document.components.schemas[name]).match(/Only with the duty/g) ?? [];
      expect(said).to.have.lengthOf(needing.size);
    }
  });

  it('names every field for $filter and $orderby with its unit', () => {
    for (const list of lists) {
      const text = JSON.stringify(document.paths[list.path]);
      for (const { queryName, unit } of queryFieldsOf(list).values()) {
        expect(text).to.include(`\`${queryName}\` (`);
        if (unit !== undefined) expect(text).to.include(`\`${queryName}\` (decimal, ${unit})`);
      }
    }
  });

  it('has examples of expressions that the service accepts, with fields of the resource', () => {
    for (const list of lists) {
      const known = [...queryFieldsOf(list).values()].map(({ queryName }) => queryName);
      const accepted = { ...list, takesSearch: false };
      const [filters, orders] = [filterExamples(list), orderExamples(list)];
      expect(filters).not.to.have.lengthOf(0);
      expect(orders).not.to.have.lengthOf(0);
      for (const value of filters) {
        const query = new URLSearchParams({ $filter: value }).toString();
        expect(readQueryOptions(parseQueryString(query).parameters, accepted).filter?.text).to.equal(value);
      }
      for (const value of orders) {
        const query = new URLSearchParams({ $orderby: value }).toString();
        const { orderBy } = readQueryOptions(parseQueryString(query).parameters, accepted);
        for (const { field } of orderBy?.items ?? []) expect(known).to.include(field);
      }
    }
  });

  it('shows an example request for each resource in the introduction', () => {
    const introduction = describeService(resources, BASE_URL);
    for (const resource of resources) {
      expect(examplePath(resource)).not.to.include('{');
      expect(introduction).to.include(`'${BASE_URL}${examplePath(resource)}'`);
    }
  });
});
