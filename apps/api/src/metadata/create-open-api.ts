import { newestOf, resourceFamilies } from '@takt/resources';
import { securitySchemes } from './describe-access.js';
import { areaOf, describeOperation } from './describe-operation.js';
import { describeSharedResponses } from './describe-responses.js';
import { describeSchemas } from './describe-schemas.js';
import { describeService } from './introduction.js';
import type { JsonObject } from './json.js';
import { operationPaths } from './operation-paths.js';
import { describeSharedParameters } from './shared-parameters.js';

export interface OpenApi extends JsonObject {
  readonly paths: Readonly<Record<string, JsonObject>>;
  readonly components: JsonObject & { readonly schemas: JsonObject };
}

/**
 * The OpenAPI 3.1 document of the service, made from the definitions of its resources: of each its newest version.
 * `baseUrl` is absolute, without a slash at its end.
 */
export function createOpenApi({ baseUrl }: { readonly baseUrl: string }): OpenApi {
  const resources = resourceFamilies.map(newestOf);
  const areas = [...new Set(resources.map(areaOf))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Takt',
      version: '1.0.0',
      summary: 'Planned against actual production times.',
      description: describeService(resources, baseUrl),
    },
    servers: [{ url: baseUrl }],
    tags: [
      ...areas.map((name) => ({ name })),
      { name: 'operation', description: 'For supervisors and operators.' },
    ],
    paths: {
      ...Object.fromEntries(
        resources.map((resource) => [resource.path, { get: describeOperation(resource) }]),
      ),
      ...operationPaths(baseUrl),
    },
    components: {
      schemas: describeSchemas(resources),
      parameters: describeSharedParameters(),
      responses: describeSharedResponses(),
      securitySchemes,
    },
  };
}
