import { statusDescriptions } from '@takt/catalogue/errors';
import {
  aggregatedProductionTimes,
  COMPARE_PATH,
  describedResource,
  newestOf,
  type Resource,
  resourceFamilies,
} from '@takt/catalogue/resources';
import { TAKT_VERSION } from '@takt/run/version';
import { BATCH_PATH } from '../computed/batch-description.js';
import { batchSchemas, describeBatch } from './describe-batch.js';
import { oauthPaths, oauthSchemas, oauthSecuritySchemes } from './describe-oauth.js';
import {
  comparisonParametersOf,
  describeParameters,
  describeSharedParameters,
  indexParameters,
} from './describe-parameters.js';
import { describeIndexResponses, describeResponses, describeSharedResponses } from './describe-responses.js';
import { describeSchemas, type JsonObject } from './describe-schemas.js';
import { describeService } from './introduction.js';

export interface OpenApi extends JsonObject {
  readonly paths: Readonly<Record<string, JsonObject>>;
  readonly components: JsonObject & { readonly schemas: JsonObject };
}

/**
 * Generates the OpenAPI 3.1 document, which describes the newest version of each resource.
 * @param baseUrl absolute, without a trailing slash
 */
export function createOpenApi({ baseUrl }: { readonly baseUrl: string }): OpenApi {
  const resources = resourceFamilies.map(newestOf).map(describedResource);
  const areas = [...new Set(resources.map(areaOf))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Takt',
      version: TAKT_VERSION,
      summary: 'Planned against actual production times.',
      contact: { name: 'The service itself', url: `${baseUrl}/` },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-UNLICENSED' },
      description: describeService(resources, baseUrl),
    },
    servers: [{ url: baseUrl }],
    tags: [
      ...areas.map((name) => ({ name, description: titlesOf(resources, name) })),
      { name: 'sign-in', description: 'For programs that need a token of their own.' },
      { name: 'operation', description: 'For supervisors and operators.' },
    ],
    paths: {
      '/': { get: describeIndex(baseUrl) },
      ...Object.fromEntries(
        resources.map((resource) => [resource.path, { get: describeOperation(resource, baseUrl) }]),
      ),
      [COMPARE_PATH]: { get: describeComparison(baseUrl) },
      [BATCH_PATH]: { get: describeBatch(security, resources, baseUrl) },
      ...oauthPaths,
      ...operationPaths(baseUrl),
    },
    components: {
      schemas: { ...describeSchemas(resources), ...batchSchemas, ...oauthSchemas },
      parameters: describeSharedParameters(),
      responses: describeSharedResponses(baseUrl),
      securitySchemes: { ...securitySchemes, ...oauthSecuritySchemes(baseUrl) },
    },
  };
}

function titlesOf(resources: readonly Resource[], area: string): string {
  return resources.flatMap((resource) => (areaOf(resource) === area ? resource.title.eng : [])).join(', ');
}

function describeIndex(baseUrl: string): JsonObject {
  return {
    operationId: 'getService',
    tags: ['operation'],
    summary: 'What there is',
    description:
      'The resources and the documents about the service. No token is needed. Beyond the specification.',
    security: [],
    parameters: indexParameters(),
    responses: describeIndexResponses(baseUrl),
  };
}

/** Returns the tag under which the document groups a resource: the first part of the resource's path. */
function areaOf({ path }: Resource): string {
  return path.split('/')[1] ?? '';
}

function describeOperation(resource: Resource, baseUrl: string): JsonObject {
  const { identifier, version, title, description, clientPermission = null, duty = null } = resource;
  return {
    operationId: resource.kind === 'list' ? `list${resource.container}` : `get${resource.element}`,
    tags: [areaOf(resource)],
    summary: title.eng,
    description: `${description} Resource ${identifier}, version ${version}. ${neededRights(resource)}`,
    security,
    parameters: describeParameters(resource),
    responses: describeResponses(resource, baseUrl),
    'x-resource-id': identifier,
    'x-resource-version': version,
    'x-client-permission': clientPermission,
    'x-duty': duty,
  };
}

/** Describes the operation that compares structure versions. The description is derived from that of their list. */
function describeComparison(baseUrl: string): JsonObject {
  const resource = aggregatedProductionTimes;
  return {
    operationId: 'compareStructureVersions',
    tags: [areaOf(resource)],
    summary: 'Structure versions side by side',
    description: `The rows of ${resource.path} with these identifiers; on a page each row is a column. Beyond the specification. ${neededRights(resource)}`,
    security,
    parameters: comparisonParametersOf(resource),
    responses: describeResponses(resource, baseUrl),
  };
}

/** A sentence in Markdown that names the permission and the duties that a resource requires. */
export function neededRights({ clientPermission, duty, furtherDuty }: Resource): string {
  const duties = [duty, furtherDuty].flatMap((one) => (one === undefined ? [] : `\`${one}\``));
  const needed = [
    ...(clientPermission === undefined ? [] : [`the client's permission \`${clientPermission}\``]),
    ...(duties.length === 0
      ? []
      : [`the ${duties.length === 1 ? 'duty' : 'duties'} ${duties.join(' and ')}`]),
  ];
  return needed.length === 0 ? 'A valid token is enough.' : `Needs ${needed.join(' and ')}.`;
}

/**
 * The response to a malformed request. It is independent of the resource, because it is sent before the path is read.
 */
const malformed: JsonObject = { $ref: `#/components/responses/${statusDescriptions[400]}` };

const plainText = (description: string): JsonObject => ({
  description,
  content: { 'text/plain': { schema: { type: 'string' } } },
});

/**
 * The endpoints for monitoring and for the operators of the service, which need no token. They are at the root of the
 * server, even if the resources are below a path.
 */
function operationPaths(baseUrl: string): Readonly<Record<string, JsonObject>> {
  const get = (operationId: string, summary: string, responses: JsonObject): JsonObject => ({
    servers: [{ url: new URL(baseUrl).origin }],
    get: {
      operationId,
      tags: ['operation'],
      summary,
      description: `${summary}. No token is needed.`,
      security: [],
      responses: { ...responses, 400: malformed },
    },
  });
  return {
    '/health/live': get('isLive', 'Checks that the process runs', { 200: plainText('It runs.') }),
    '/health/ready': get('isReady', 'Checks that requests can be served', {
      200: plainText('They can.'),
      503: plainText('Not ready: one reason per line.'),
    }),
    '/metrics': get('readMetrics', 'Measurements for Prometheus', {
      200: plainText('In the text format of Prometheus.'),
    }),
  };
}

/** The ways to send the token. One of them is enough; the header is the best. */
const securitySchemes: JsonObject = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token in the header: `Authorization: Bearer TOKEN`. Recommended.',
  },
  accessToken: {
    type: 'apiKey',
    in: 'query',
    name: '$access_token',
    description: 'The access token in the address, for clients that cannot set a header.',
  },
};

const security: readonly JsonObject[] = [{ bearer: [] }, { accessToken: [] }, { oauth2: [] }];
