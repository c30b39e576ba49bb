import {
  type Collection,
  type DetailResource,
  domainDescriptionOf,
  error,
  type Field,
  type FieldType,
  type Group,
  jsonName,
  type ListResource,
  type Node,
  paging,
  type Resource,
} from '@takt/resources';
import { type Owner, presenceInError, presenceInPaging, presenceInResource } from './presence.js';

/** What JSON can say: the documents made here are values, written out by whoever serves them. */
type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

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
    if (resource.kind === 'list') {
      addList(components, resource);
    } else {
      addDetail(components, resource);
    }
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

type Described = Pick<Group, 'name' | 'description' | 'children'>;

const types: Readonly<Record<FieldType, { readonly type: string; readonly format?: string }>> = {
  integer: { type: 'integer', format: 'int64' },
  decimal: { type: 'number' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  instant: { type: 'string', format: 'date-time' },
  link: { type: 'string', format: 'uri' },
};

export const schemaReference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The named JSON Schemas of an OpenAPI document, collected while they are referred to. */
class SchemaComponents {
  readonly #schemas = new Map<string, JsonObject>();

  /** Adds a schema under a name of its own, and refers to it. Throws where the name is taken. */
  add(name: string, schema: JsonObject): JsonObject {
    if (this.#schemas.has(name)) throw new Error(`two schemas are named ${name}`);
    this.#schemas.set(name, schema);
    return schemaReference(name);
  }

  toJson(): JsonObject {
    return Object.fromEntries(this.#schemas);
  }

  /** The schema of one object: no property but those of its definition, with the XML names beside the JSON ones. */
  objectSchema({ name, description, children }: Described, owner: Owner): JsonObject {
    const required = children.filter(owner.isAlwaysThere).map((child) => jsonName(child.name));
    return {
      type: 'object',
      description,
      xml: { name },
      properties: Object.fromEntries(children.flatMap((child) => this.#properties(child, owner))),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
  }

  #properties(node: Node, owner: Owner): readonly (readonly [string, Json])[] {
    switch (node.kind) {
      case 'group':
        return [[jsonName(node.name), this.objectSchema(node, owner)]];
      case 'collection':
        return [[jsonName(node.name), this.#arraySchema(node, owner)]];
      case 'field': {
        const description = domainDescriptionOf(node);
        return [node, ...(description === undefined ? [] : [description])].map((field) => [
          jsonName(field.name),
          fieldSchema(field),
        ]);
      }
    }
  }

  #arraySchema(collection: Collection, owner: Owner): JsonObject {
    return {
      type: 'array',
      description: collection.description,
      xml: { name: collection.name, wrapped: true },
      items: this.#itemReference(collection.item(), owner),
    };
  }

  /** Items have named schemas, because an item may hold a collection of its own kind. */
  #itemReference(item: Group, owner: Owner): JsonObject {
    const name = `${owner.name}${item.name}`;
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.objectSchema(item, owner));
    }
    return schemaReference(name);
  }
}

function fieldSchema(field: Field): JsonObject {
  const { type, ...format } = types[field.type];
  return {
    type: field.isNullable ? [type, 'null'] : type,
    ...format,
    description: field.description,
    xml: { name: field.name },
    ...(field.unit === undefined ? {} : { 'x-unit': field.unit }),
    ...(field.queryName === undefined ? {} : { 'x-query-name': field.queryName }),
  };
}
