import type { Resource } from '@takt/resources';
import { security } from './describe-access.js';
import { describeParameters } from './describe-parameters.js';
import { describeResponses } from './describe-responses.js';
import type { JsonObject } from './json.js';

/** The area of a resource is where its path begins. */
export function areaOf({ path }: Resource): string {
  return path.split('/')[1] ?? '';
}

/** How a resource is read. */
export function describeOperation(resource: Resource): JsonObject {
  const { identifier, version, title, description } = resource;
  return {
    operationId: resource.kind === 'list' ? `list${resource.container}` : `get${resource.element}`,
    tags: [areaOf(resource)],
    summary: title.eng,
    description: `${description} Resource ${identifier}, version ${version}.`,
    security,
    parameters: describeParameters(resource),
    responses: describeResponses(resource),
    'x-resource-id': identifier,
    'x-resource-version': version,
  };
}
