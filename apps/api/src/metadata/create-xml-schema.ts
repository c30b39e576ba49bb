import type { Duty } from '@takt/access';
import {
  type Collection,
  describedResource,
  domainDescriptionOf,
  error,
  type Field,
  type FieldType,
  type Group,
  type Node,
  newestOf,
  paging,
  type Resource,
  resourceFamilies,
  service,
} from '@takt/catalogue/resources';
import { MOST_BATCHED } from '../computed/batch-description.js';
import {
  alwaysThere,
  describeNode,
  dutiesWith,
  type Owner,
  type Presence,
  presenceInPaging,
  presenceInResource,
} from './describe-schemas.js';

/**
 * Generates the XSD 1.0 schema of all XML documents. It contains the container of each list, the element of each
 * object, and the elements Service (the index), Error and Resources (a batch).
 * The documents have no namespace. Null is written as `xsi:nil`, so fields that may be null are nillable. The elements
 * of resources are optional, because `$select` and missing duties can remove any of them.
 */
export function createXmlSchema(): string {
  const types = new XmlTypes();
  const roots = resourceFamilies
    .map(newestOf)
    .map(describedResource)
    .flatMap((resource) => rootOf(resource, types));
  const indexRoot = objectElement(service.name, service, alwaysThere, types);
  const errorRoot = objectElement(error.name, error, alwaysThere, types);
  types.define(paging.name, paging.children, { name: paging.name, isAlwaysThere: presenceInPaging });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...xmlTag('xs:schema', { 'xmlns:xs': 'http://www.w3.org/2001/XMLSchema' }, [
      ...roots,
      ...indexRoot,
      ...errorRoot,
      ...batchRoot(),
      ...types.definitions(),
    ]),
    '',
  ].join('\n');
}

function rootOf(resource: Resource, types: XmlTypes): Lines {
  const { element, description, fields } = resource;
  if (resource.kind === 'detail') {
    return objectElement(element, { description, children: fields }, presenceInResource, types);
  }
  const owner = { name: resource.container, isAlwaysThere: presenceInResource };
  const item = xmlElement(
    { name: element, minOccurs: '0', maxOccurs: 'unbounded' },
    'A row of this page.',
    types.complexType(fields, owner),
  );
  const pagingElement = xmlElement({ name: paging.name, type: paging.name }, paging.description);
  const totals = types.elements(resource.totals === undefined ? [] : [resource.totals], owner);
  return xmlElement(
    { name: resource.container },
    description,
    sequence([...item, ...pagingElement, ...totals]),
  );
}

/** The root element of a batch. It contains documents, each with its own root element. */
function batchRoot(): Lines {
  const anyDocument = xmlTag('xs:any', { namespace: '##local', processContents: 'strict' }, []);
  const parts = [
    ...xmlElement({ name: 'Uri', type: 'xs:string' }, 'The requested address.'),
    ...xmlElement({ name: 'BatchId', type: 'xs:string' }, 'The name of its parameter.'),
    ...xmlElement({ name: 'Response' }, 'Its document, or an Error.', sequence(anyDocument)),
  ];
  const resource = xmlElement(
    { name: 'Resource', maxOccurs: String(MOST_BATCHED) },
    'The answer to one address.',
    sequence(parts),
  );
  return xmlElement({ name: 'Resources' }, 'Several requests in one.', sequence(resource));
}

function sequence(children: Lines): Lines {
  return xmlTag('xs:complexType', {}, xmlTag('xs:sequence', {}, children));
}

function objectElement(
  name: string,
  { description, children }: { readonly description: string; readonly children: readonly Node[] },
  isAlwaysThere: Presence,
  types: XmlTypes,
): Lines {
  return xmlElement({ name }, description, types.complexType(children, { name, isAlwaysThere }));
}

type Lines = readonly string[];
type Attributes = Readonly<Record<string, string>>;

const simpleTypes: Readonly<Record<FieldType, string>> = {
  integer: 'xs:long',
  decimal: 'xs:decimal',
  text: 'xs:string',
  boolean: 'xs:boolean',
  instant: 'xs:dateTime',
  link: 'xs:anyURI',
};

/**
 * The complex types of the schema. The type of a group is local, because groups of the same name may have different
 * content in different documents.
 */
class XmlTypes {
  readonly #named = new Map<string, Lines>();

  define(name: string, children: readonly Node[], owner: Owner): void {
    this.#named.set(name, []);
    this.#named.set(name, xmlTag('xs:complexType', { name }, this.#sequence(children, owner)));
  }

  definitions(): Lines {
    return [...this.#named.values()].flat();
  }

  /** A local type. Its children are in the order of the definition. */
  complexType(children: readonly Node[], owner: Owner, duties: readonly Duty[] = []): Lines {
    return xmlTag('xs:complexType', {}, this.#sequence(children, owner, duties));
  }

  #sequence(children: readonly Node[], owner: Owner, duties: readonly Duty[] = []): Lines {
    return xmlTag('xs:sequence', {}, this.elements(children, owner, duties));
  }

  elements(nodes: readonly Node[], owner: Owner, duties: readonly Duty[] = []): Lines {
    return nodes.flatMap((node) => this.#child(node, owner, duties));
  }

  #child(node: Node, owner: Owner, around: readonly Duty[]): Lines {
    const duties = dutiesWith(node, around);
    const occurrence: Attributes = owner.isAlwaysThere(node) ? {} : { minOccurs: '0' };
    switch (node.kind) {
      case 'field': {
        const description = domainDescriptionOf(node);
        return [
          ...fieldElement(node, occurrence, duties),
          ...(description === undefined ? [] : fieldElement(description, { minOccurs: '0' }, duties)),
        ];
      }
      case 'group': {
        const attributes = { name: node.name, ...occurrence };
        return xmlElement(
          attributes,
          describeNode(node, duties),
          this.complexType(node.children, owner, duties),
        );
      }
      case 'collection':
        return this.#collectionElement(node, owner, occurrence, duties);
    }
  }

  #collectionElement(
    collection: Collection,
    owner: Owner,
    occurrence: Attributes,
    duties: readonly Duty[],
  ): Lines {
    const item = collection.item();
    const attributes = {
      name: item.name,
      type: this.#itemType(item, owner),
      minOccurs: '0',
      maxOccurs: 'unbounded',
    };
    return xmlElement(
      { name: collection.name, ...occurrence },
      describeNode(collection, duties),
      sequence(xmlElement(attributes, item.description)),
    );
  }

  /** The type of an item has a name, because an item may contain a collection of the same kind. */
  #itemType(item: Group, owner: Owner): string {
    const name = `${owner.name}${item.name}`;
    if (!this.#named.has(name)) this.define(name, item.children, owner);
    return name;
  }
}

function fieldElement(field: Field, occurrence: Attributes, duties: readonly Duty[]): Lines {
  const { name, type, isNullable } = field;
  const nillable: Attributes = isNullable ? { nillable: 'true' } : {};
  return xmlElement(
    { name, type: simpleTypes[type], ...nillable, ...occurrence },
    describeNode(field, duties),
  );
}

function xmlElement(attributes: Attributes, description: string, type: Lines = []): Lines {
  const documentation = `<xs:annotation><xs:documentation>${escapeXml(description)}</xs:documentation></xs:annotation>`;
  return xmlTag('xs:element', attributes, [documentation, ...type]);
}

function xmlTag(name: string, attributes: Attributes, children: Lines): Lines {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return [`<${name}${written.join('')}>`, ...children.map((line) => `  ${line}`), `</${name}>`];
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
