import {
  type DetailResource,
  type Field,
  type FieldType,
  filterFieldsOf,
  type Group,
  jsonName,
  type ListResource,
  leavesOf,
  type Node,
  queryFieldsOf,
} from '@takt/catalogue/resources';
import type { Language, Translations } from '@takt/texts';
import type { ComputedObject } from './computed-row.js';

const datatypes: Readonly<Record<FieldType, 'Integer' | 'Decimal' | 'String' | 'Boolean' | 'DateTime'>> = {
  integer: 'Integer',
  decimal: 'Decimal',
  text: 'String',
  boolean: 'Boolean',
  instant: 'DateTime',
  link: 'String',
};

/** A resource, or a route that is described in the same way. */
export type DescribedResource =
  | ListResource
  | Pick<
      DetailResource,
      | 'kind'
      | 'path'
      | 'pathParameters'
      | 'parameters'
      | 'description'
      | 'clientPermission'
      | 'duty'
      | 'furtherDuty'
      | 'fields'
    >;

/**
 * A description in all languages. Like the texts of errors, descriptions exist only in English, so the English text is
 * used for every language.
 */
const described = (description: string): ComputedObject => ({
  Description: description,
  TranslatedDescription: description,
});

/** Describes the parameters in the address: the identifiers in the path, and the resource's own parameters. */
export function uriParametersOf(resource: DescribedResource): readonly ComputedObject[] {
  const unlimited = { MinimumValue: null, MaximumValue: null, DefaultValue: null };
  const { pathParameters, parameters = [] } = resource;
  const isSearched = resource.kind === 'list' && resource.searched.length > 0;
  return [
    ...pathParameters.map(({ name, description, minimum }) => ({
      Name: name,
      Datatype: datatypes.integer,
      ...described(description),
      IsRequired: true,
      ...unlimited,
      MinimumValue: minimum,
    })),
    ...parameters.map(({ name, description, isRequired, byDefault = null }) => ({
      Name: name,
      Datatype: datatypes.text,
      ...described(description),
      IsRequired: isRequired,
      ...unlimited,
      DefaultValue: byDefault,
    })),
    ...(isSearched ? [{ ...SEARCH, ...unlimited }] : []),
  ];
}

const SEARCH: ComputedObject = {
  Name: 'search',
  Datatype: datatypes.text,
  IsRequired: false,
  ...described('Words that must occur in the served rows.'),
};

interface PlacedField {
  readonly field: Field;
  readonly path: string;
  /** The names that `$expand` must contain, so that the field is served. */
  readonly expandedBy: readonly string[];
}

export function responseFieldsIn(
  { fields }: Pick<DescribedResource, 'fields'>,
  language: Language,
  withExpandable: boolean,
): readonly ComputedObject[] {
  const places = placesIn(fields, { path: '', expandedBy: [] });
  const described = withExpandable ? places : places.filter(({ expandedBy }) => expandedBy.length === 0);
  return described.map(({ field, path, expandedBy }) => ({
    ...fieldOf(field, field.name, field.heading, language),
    Path: path,
    HasDomainDescription: field.domain !== undefined,
    ExpandParameter: expandedBy.length === 0 ? null : expandedBy.join(),
  }));
}

function placesIn(nodes: readonly Node[], around: Omit<PlacedField, 'field'>): readonly PlacedField[] {
  return nodes.flatMap((node) => {
    const { expandedBy: own = [] } = node;
    const place = {
      ...around,
      path: around.path + jsonName(node.name),
      expandedBy: [...new Set([...around.expandedBy, own].flat())],
    };
    if (node.kind === 'field') return [{ ...place, field: node }];
    return node.kind === 'group'
      ? placesIn(node.children, { ...place, path: `${place.path}.` })
      : placesIn(node.item().children, { ...place, path: `${place.path}[].` });
  });
}

export function filterFieldsIn(resource: ListResource, language: Language): readonly ComputedObject[] {
  return flatFields(resource, filterFieldsOf(resource).values(), language).map((field) => ({
    ...field,
    MacroSet: null,
  }));
}

export function sortableFieldsIn(resource: ListResource, language: Language): readonly ComputedObject[] {
  return flatFields(resource, queryFieldsOf(resource).values(), language);
}

/**
 * The fields of a resource by their flat names. If a heading occurs twice, the heading of the group is put in front:
 * Product: Name.
 */
function flatFields(
  resource: ListResource,
  fields: Iterable<Field>,
  language: Language,
): readonly ComputedObject[] {
  const groups = new Map<Node, Group | undefined>(
    leavesOf(resource.fields).map(({ node, group }) => [node, group]),
  );
  const all = [...fields];
  return all.map((field) => {
    const isAlone = all.every(
      (other) => other === field || other.heading[language] !== field.heading[language],
    );
    const group = isAlone ? undefined : groups.get(field)?.heading;
    return fieldOf(field, field.queryName ?? field.filterName ?? field.name, field.heading, language, group);
  });
}

function fieldOf(
  { type, domain, description }: Field,
  name: string,
  heading: Translations,
  language: Language,
  around?: Translations,
): ComputedObject {
  return {
    Name: name,
    TranslatedName: around === undefined ? heading[language] : `${around[language]}: ${heading[language]}`,
    Datatype: datatypes[type],
    ...described(description),
    ApplicableDomainValues: domain === undefined ? null : [domain.object, domain.field],
  };
}
