import { error, type Node, newestOf, paging, type Resource, resourceFamilies } from '@takt/resources';
import { type Presence, presenceInError, presenceInPaging, presenceInResource } from './presence.js';
import { type Lines, XmlTypes, xmlElement, xmlTag } from './xml-types.js';

/**
 * The XSD 1.0 schema of every XML document that the service answers with: the container of each list, the element of
 * each detail, and Error. The documents have no namespace. Null is `xsi:nil`, so what can be null is nillable;
 * `$select` and duties leave elements out, so those of resources are optional.
 */
export function createXmlSchema(): string {
  const types = new XmlTypes();
  const roots = resourceFamilies.map(newestOf).flatMap((resource) => rootOf(resource, types));
  const errorRoot = objectElement(error.name, error, presenceInError, types);
  types.define(paging.name, paging.children, { name: paging.name, isAlwaysThere: presenceInPaging });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...xmlTag('xs:schema', { 'xmlns:xs': 'http://www.w3.org/2001/XMLSchema' }, [
      ...roots,
      ...errorRoot,
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
  return xmlElement(
    { name: resource.container },
    description,
    xmlTag('xs:complexType', {}, xmlTag('xs:sequence', {}, [...item, ...pagingElement])),
  );
}

function objectElement(
  name: string,
  { description, children }: { readonly description: string; readonly children: readonly Node[] },
  isAlwaysThere: Presence,
  types: XmlTypes,
): Lines {
  return xmlElement({ name }, description, types.complexType(children, { name, isAlwaysThere }));
}
