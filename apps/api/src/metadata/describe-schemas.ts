import {
  type DetailResource,
  error,
  jsonName,
  type ListResource,
  paging,
  type Resource,
} from '@takt/resources';
import type { JsonObject } from './json.js';
import { presenceInError, presenceInPaging, presenceInResource } from './presence.js';
import { SchemaComponents, schemaReference } from './schema-components.js';

/** Name of the schema of the JSON document and, where XML has another shape, of the XML document of a resource. */
export function documentSchemaNames(resource: Resource): { readonly json: string; readonly xml: string } {
  return resource.kind === 'list'
    ? { json: resource.container, xml: resource.container }
    : { json: `${resource.element}Document`, xml: resource.element };
}

/** The schemas of everything that the service answers with: each resource, Paging and Error, and their parts. */
export function describeSchemas(resources: readonly Resource[]): JsonObject {
  const components = new SchemaComponents();
  for (const resource of resources) {
    if (resource.kind === 'list') addList(components, resource);
    else addDetail(components, resource);
  }
  for (const { group, isAlwaysThere } of [
    { group: paging, isAlwaysThere: presenceInPaging },
    { group: error, isAlwaysThere: presenceInError },
  ]) {
    components.add(group.name, components.objectSchema(group, { name: group.name, isAlwaysThere }));
  }
  return components.toJson();
}

/** In XML the items stand directly in the container: the array has no element of its own. */
function addList(components: SchemaComponents, resource: ListResource): void {
  const { container, element, description, fields, maximumPageSize } = resource;
  const item = components.add(
    `${container}Item`,
    components.objectSchema(
      { name: element, description: `An item of ${container}.`, children: fields },
      { name: container, isAlwaysThere: presenceInResource },
    ),
  );
  const items = jsonName(container);
  components.add(container, {
    type: 'object',
    description,
    xml: { name: container },
    properties: {
      [items]: {
        type: 'array',
        description: 'The rows of this page.',
        maxItems: maximumPageSize,
        items: item,
      },
      [jsonName(paging.name)]: schemaReference(paging.name),
    },
    required: [items, jsonName(paging.name)],
    additionalProperties: false,
  });
}

/** In JSON the object has a name inside the document; in XML its element is the document. */
function addDetail(components: SchemaComponents, resource: DetailResource): void {
  const { element, description, fields } = resource;
  const object = components.add(
    element,
    components.objectSchema(
      { name: element, description, children: fields },
      { name: element, isAlwaysThere: presenceInResource },
    ),
  );
  components.add(documentSchemaNames(resource).json, {
    type: 'object',
    description: `JSON document that holds the ${jsonName(element)}.`,
    properties: { [jsonName(element)]: object },
    required: [jsonName(element)],
    additionalProperties: false,
  });
}
