import {
  type Collection,
  domainDescriptionOf,
  type Field,
  type FieldType,
  type Group,
  jsonName,
  type Node,
} from '@takt/resources';
import type { Json, JsonObject } from './json.js';
import type { Owner } from './presence.js';

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
export class SchemaComponents {
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
