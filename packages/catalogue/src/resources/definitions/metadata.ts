import { inEveryLanguage } from '@takt/texts';
import type { Group, Node } from '../field.js';
import { fieldBuilders } from '../field-builders.js';
import { computedDetail } from '../resource.js';
import { sharedHeadings } from './shared-texts.js';

const headings = {
  Name: sharedHeadings.Name,
  Description: sharedHeadings.Description,
  ...inEveryLanguage('metadata', {
    Metadata: 'Description of a resource',
    MetadataSummary:
      'Which fields a resource has, what it can be filtered and sorted by, and whether you may read it.',
    Uri: 'Path',
    MaximumResultRows: 'Most rows of a page',
    Admittance: 'Admittance',
    AccessDenied: 'Why access is denied',
    AccessRuleId: 'Missing duty',
    MissingPermissionId: 'Missing permission',
    ErrorMessageId: 'Error message',
    UriParameters: 'Parameters of the address',
    UriParameter: 'Parameter of the address',
    InputFields: 'Fields of the request body',
    InputField: 'Field of the request body',
    ResponseFields: 'Fields of the answer',
    ResponseField: 'Field of the answer',
    FilterFields: 'Fields to filter by',
    FilterField: 'Field to filter by',
    SortableFields: 'Fields to sort by',
    SortableField: 'Field to sort by',
    NamedFilters: 'Named filters',
    NamedFilter: 'Named filter',
    MacroDefinitions: 'Macros of filters',
    MacroDefinition: 'Macro of filters',
    TranslatedName: 'Name in your language',
    Datatype: 'Data type',
    Path: 'Place in the answer',
    TranslatedDescription: 'Description in your language',
    HasDomainDescription: 'Explained values',
    ApplicableDomainValues: 'Possible values',
    ExpandParameter: 'Name for $expand',
    MacroSet: 'Set of macros',
    IsRequired: 'Required',
    MinimumValue: 'Smallest value',
    MaximumValue: 'Largest value',
    DefaultValue: 'Value if left out',
  }),
};

/*
 * Clients of the followed service read this document. So it has the names and the order of that service. Features that
 * this service lacks (input, named filters, macros) appear as empty lists, as these clients expect.
 */

const { boolean, collection, group, integer, link, text } = fieldBuilders(headings);

/**
 * The name in `$expand` that adds the description of the fields that are served only on request, and of the fields
 * inside them.
 */
export const EXPANDABLE_FIELDS = 'ExpandableFields';

const name = (description: string): Node => text('Name', description);
const translatedName = text('TranslatedName', 'Title, in the language of $lang.', {
  expandedBy: 'TranslatedName',
});
const datatype = text(
  'Datatype',
  'DateTime, Date, Time, Integer, Long, Decimal, Boolean or String; addresses are String.',
);
const descriptions: readonly Node[] = [
  text('Description', 'Description in a sentence.', { expandedBy: 'Description' }),
  text(
    'TranslatedDescription',
    'Description in the language of $lang if it is translated, otherwise in English.',
    {
      expandedBy: 'TranslatedDescription',
    },
  ),
];
const applicableDomainValues = link(
  'ApplicableDomainValues',
  'Address of the list of its possible values; null without a domain.',
  '/system/domain-values/applicable-values?object={}&field={}',
  { isNullable: true, expandedBy: 'ApplicableDomainValues' },
);

const uriParameter: Group = group('UriParameter', 'A parameter of the path, or one after the `?`.', [
  name('Name of the parameter.'),
  datatype,
  ...descriptions,
  boolean('IsRequired', 'True if the resource needs it.'),
  integer('MinimumValue', 'Smallest value; null if there is no limit.', { isNullable: true }),
  integer('MaximumValue', 'Largest value; null if there is no limit.', { isNullable: true }),
  text('DefaultValue', 'Default value; null if there is none.', { isNullable: true }),
]);

const inputField: Group = group('InputField', 'A field of a request body.', [
  name('Name of the field.'),
  translatedName,
  datatype,
  ...descriptions,
]);

const responseField: Group = group('ResponseField', 'A field of the answer.', [
  name('Name of the XML element; JSON lowers its first letter.'),
  translatedName,
  datatype,
  text(
    'Path',
    'Position in the JSON of the object, or of an item of the list, separated by dots, with [] after arrays. $select takes the part before a [].',
  ),
  ...descriptions,
  boolean('HasDomainDescription', 'True if $showDomainDescriptions=true explains its values.'),
  applicableDomainValues,
  text('ExpandParameter', 'Value of $expand that it needs; null if it needs none.', {
    isNullable: true,
    expandedBy: EXPANDABLE_FIELDS,
  }),
]);

const filterField: Group = group('FilterField', 'A field for $filter.', [
  name('Name in $filter.'),
  translatedName,
  datatype,
  ...descriptions,
  applicableDomainValues,
  text('MacroSet', 'Macros for comparisons; always null, because $filter has no macros.', {
    isNullable: true,
  }),
]);

const sortableField: Group = group('SortableField', 'A field for $orderby.', [
  name('Name in $orderby.'),
  translatedName,
  datatype,
  ...descriptions,
]);

const namedFilter: Group = group('NamedFilter', 'A filter with a name.', [
  name('Name of the filter.'),
  translatedName,
  ...descriptions,
]);

const macroDefinition: Group = group('MacroDefinition', 'A macro.', [name('Name of the macro.')]);

const admittance: Group = group(
  'Admittance',
  'Access of the token to the resource; all fields are null if the token may read it.',
  [
    text(
      'AccessDenied',
      'Reason of the refusal: the message that a request gets, in the language of $lang.',
      {
        isNullable: true,
      },
    ),
    integer('AccessRuleId', 'Number of the missing duty; null if none is missing.', { isNullable: true }),
    integer('MissingPermissionId', "Number of the client's missing permission; null if none is missing.", {
      isNullable: true,
    }),
    integer('ErrorMessageId', 'Identifier of the error message that a request gets.', { isNullable: true }),
  ],
);

export const metadata = computedDetail({
  identifier: 9014,
  version: 1,
  path: '/metadata',
  element: 'Metadata',
  title: headings.Metadata,
  summary: headings.MetadataSummary,
  description:
    'A resource as the token of the request sees it: fields with a missing duty are left out. Beyond the specification.',
  clientPermission: undefined,
  duty: undefined,
  source: { computed: 'metadata' },
  parameters: [
    {
      name: 'uri',
      description:
        'Path of a resource, with identifiers or their names in braces, with or without a leading slash, or its absolute address; a query is ignored.',
      isRequired: true,
      example: '/product/products',
    },
    {
      name: 'verb',
      description: 'Method of the request, in any case; resources answer to GET and HEAD only.',
      isRequired: false,
      example: 'GET',
      byDefault: 'GET',
    },
  ],
  fields: [
    text('Description', 'Description of the resource.', { expandedBy: 'Description' }),
    text('Uri', 'Path of the resource below the address of the service; {name} stands for an identifier.'),
    integer(
      'MaximumResultRows',
      'Maximum of rows per page, which $top=$max requests; null if the resource is not a list.',
      {
        isNullable: true,
      },
    ),
    admittance,
    collection(
      'UriParameters',
      "The identifiers in the path, and the resource's own parameters.",
      () => uriParameter,
      { expandedBy: 'URIParameters' },
    ),
    collection('InputFields', 'Empty, as resources are read-only.', () => inputField),
    collection(
      'ResponseFields',
      `The fields of the object, or of an item of the list; with $expand=${EXPANDABLE_FIELDS} also those served on request only. Without the Paging of lists.`,
      () => responseField,
    ),
    collection('FilterFields', 'The fields for $filter; empty: it is not a list.', () => filterField),
    collection('SortableFields', 'The fields for $orderby; empty: it is not a list.', () => sortableField),
    collection('NamedFilters', 'Empty, as $filter has no named filters.', () => namedFilter),
    collection('MacroDefinitions', 'Empty, as $filter has no macros.', () => macroDefinition, {
      expandedBy: 'MacroDefinitions',
    }),
  ],
});
