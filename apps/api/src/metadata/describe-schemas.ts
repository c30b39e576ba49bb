import type { Duty } from '@takt/access';
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
  service,
  size,
} from '@takt/catalogue/resources';

/** A JSON value. The descriptions are built from such values, and become text only when they are served. */
type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

export function documentSchemaName(resource: Resource): string {
  return resource.kind === 'list' ? resource.container : `${resource.element}Document`;
}

/**
 * The schemas of all documents: each resource, Paging, Error and the index. They include the schemas of the parts of
 * these documents.
 */
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
    { group: error, isAlwaysThere: alwaysThere },
    { group: service, isAlwaysThere: alwaysThere },
  ]) {
    components.add(group.name, components.objectSchema(group, { name: group.name, isAlwaysThere }));
  }
  return components.toJson();
}

/**
 * Adds the schema of a list. In XML the items are direct children of the container, so no element corresponds to the
 * JSON array.
 */
function addList(components: SchemaComponents, resource: ListResource): void {
  const { container, element, description, fields, totals, maximumPageSize } = resource;
  const owner = { name: container, isAlwaysThere: presenceByDefault };
  const item = components.add(
    `${container}Item`,
    components.objectSchema(
      { name: element, description: `An item of ${container}.`, children: fields },
      owner,
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
      ...components.properties(totals === undefined ? [] : [totals], owner),
    },
    required: [items, jsonName(paging.name)],
    additionalProperties: false,
  });
}

/**
 * Adds the schema of an object's document. In JSON the object is a named member of the document; in XML the object's
 * element is the root of the document.
 */
function addDetail(components: SchemaComponents, resource: DetailResource): void {
  const { element, description, fields } = resource;
  const object = components.add(
    element,
    components.objectSchema(
      { name: element, description, children: fields },
      { name: element, isAlwaysThere: presenceByDefault },
    ),
  );
  components.add(documentSchemaName(resource), {
    type: 'object',
    description: `JSON document with the ${jsonName(element)}.`,
    properties: { [jsonName(element)]: object },
    required: [jsonName(element)],
    additionalProperties: false,
  });
}

type Described = Pick<Group, 'name' | 'description' | 'children'> & Partial<Pick<Group, 'expandedBy'>>;

const types: Readonly<Record<FieldType, { readonly type: string; readonly format?: string }>> = {
  integer: { type: 'integer', format: 'int64' },
  decimal: { type: 'number' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  instant: { type: 'string', format: 'date-time' },
  link: { type: 'string', format: 'uri' },
};

export const schemaReference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The named JSON Schemas of an OpenAPI document. A schema is added when something refers to it for the first time. */
class SchemaComponents {
  readonly #schemas = new Map<string, JsonObject>();

  /** Adds a schema under a name, and returns a reference to it. Throws if the name is already used. */
  add(name: string, schema: JsonObject): JsonObject {
    if (this.#schemas.has(name)) throw new Error(`two schemas are named ${name}`);
    this.#schemas.set(name, schema);
    return schemaReference(name);
  }

  toJson(): JsonObject {
    return Object.fromEntries(this.#schemas);
  }

  /**
   * The schema of an object. The object has exactly the properties of the definition, and the schema also contains
   * their names in XML.
   */
  objectSchema(described: Described, owner: Owner, duties: readonly Duty[] = []): JsonObject {
    const { name, children } = described;
    const required = children.filter(owner.isAlwaysThere).map((child) => jsonName(child.name));
    return {
      type: 'object',
      description: describeNode(described, duties),
      xml: { name },
      properties: this.properties(children, owner, duties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
  }

  properties(nodes: readonly Node[], owner: Owner, duties: readonly Duty[] = []): JsonObject {
    return Object.fromEntries(nodes.flatMap((node) => this.#propertiesOf(node, owner, duties)));
  }

  #propertiesOf(node: Node, owner: Owner, around: readonly Duty[]): readonly (readonly [string, Json])[] {
    const duties = dutiesWith(node, around);
    switch (node.kind) {
      case 'group':
        return [[jsonName(node.name), this.objectSchema(node, owner, duties)]];
      case 'collection':
        return [[jsonName(node.name), this.#arraySchema(node, owner, duties)]];
      case 'field': {
        const description = domainDescriptionOf(node);
        return [node, ...(description === undefined ? [] : [description])].map((field) => [
          jsonName(field.name),
          fieldSchema(field, duties),
        ]);
      }
    }
  }

  #arraySchema(collection: Collection, owner: Owner, duties: readonly Duty[]): JsonObject {
    return {
      type: 'array',
      description: describeNode(collection, duties),
      xml: { name: collection.name, wrapped: true },
      items: this.#itemReference(collection.item(), owner),
    };
  }

  /**
   * A reference to the schema of an item. This schema has a name, because an item may contain a collection of the same
   * kind.
   */
  #itemReference(item: Group, owner: Owner): JsonObject {
    const name = `${owner.name}${item.name}`;
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.objectSchema(item, owner));
    }
    return schemaReference(name);
  }
}

function fieldSchema(field: Field, duties: readonly Duty[]): JsonObject {
  return {
    ...valueSchema(field),
    description: describeNode(
      { ...field, description: [field.description, ...knownValues(field)].join(' ') },
      duties,
    ),
    xml: { name: field.name },
    ...(field.unit === undefined ? {} : { 'x-unit': field.unit }),
    ...(field.queryName === undefined ? {} : { 'x-query-name': field.queryName }),
    ...(duties.length === 0 ? {} : { 'x-duties': duties }),
  };
}

/**
 * The schema of a field's value. For a field with a domain, the schema allows the values of the domain, and also any
 * other value of the plain type: the listed values are only those known today. Master data may contain other values,
 * which are served with a null description.
 */
function valueSchema({ type: fieldType, isNullable, domain }: Field): JsonObject {
  const { type, ...format } = types[fieldType];
  const any = { type: isNullable ? [type, 'null'] : type, ...format };
  if (domain === undefined) return any;
  const keys = Object.keys(domain.values).map((key) => (type === 'integer' ? Number(key) : key));
  return { anyOf: [{ type, enum: keys }, any] };
}

function knownValues({ domain }: Field): readonly string[] {
  if (domain === undefined) return [];
  const values = Object.entries(domain.values).map(([key, { eng }]) => (key === eng ? key : `${key} ${eng}`));
  return [`Known values: ${values.join(', ')}.`];
}

/** True if a node is part of every answer, for any request and any reader. */
export type Presence = (node: Node) => boolean;

/** No node of a resource is always present, because `$select` may leave out any of them. */
export const presenceInResource: Presence = () => false;

/** True for nodes that every reader gets in the default answer. Such a node is not expandable and requires no duty. */
const presenceByDefault: Presence = (node) =>
  node.duty === undefined && node.expandedBy === undefined && node.onlyWith === undefined;

/** The duties that a node requires, including those of the groups around it. */
export function dutiesWith(node: Node, around: readonly Duty[]): readonly Duty[] {
  return node.duty === undefined ? around : [...around, node.duty];
}

/** The description of a node. It names the duty or the option that the node requires. */
export function describeNode(
  {
    description,
    expandedBy,
    onlyWith,
  }: Pick<Node, 'description'> & Partial<Pick<Node, 'expandedBy' | 'onlyWith'>>,
  duties: readonly Duty[],
): string {
  return (
    description +
    (expandedBy === undefined ? '' : ` Only with \`$expand=${expandedBy}\`.`) +
    (onlyWith === undefined ? '' : ` Only with \`${onlyWith}\`.`) +
    dutyNote(duties)
  );
}

function dutyNote(duties: readonly Duty[]): string {
  return duties.length === 0
    ? ''
    : ` Only with the duty ${duties.map((duty) => `\`${duty}\``).join(' and ')}.`;
}

/**
 * True for the nodes of Paging that are always present: all except the page keys, which require `$expand`, and the
 * size, because rows are counted only on request.
 */
export const presenceInPaging: Presence = (node) => node !== size && presenceByDefault(node);

/** True for every node: errors and the index are always complete. */
export const alwaysThere: Presence = () => true;

/** The document, or the part of a document, to which a schema belongs. */
export interface Owner {
  /**
   * The prefix of the names of item schemas. It is needed because two documents may use the same name for different
   * items.
   */
  readonly name: string;
  readonly isAlwaysThere: Presence;
}
