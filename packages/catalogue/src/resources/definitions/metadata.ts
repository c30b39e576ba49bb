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
 * Clients of the followed service read this document, so names and order are theirs. Features that do not exist here
 * (input, named filters, macros) are empty lists, as they expect.
 */

const { boolean, collection, group, integer, link, text } = fieldBuilders(headings);

/** The `$expand` name for expandable fields; it also describes the fields inside of them. */
export const EXPANDABLE_FIELDS = 'ExpandableFields';

const name = (description: string): Node => text('Name', description);
const translatedName = text('TranslatedName', 'What people call it, in the language of $lang.', {
  expandedBy: 'TranslatedName',
});
const datatype = text(
  'Datatype',
  'DateTime, Date, Time, Integer, Long, Decimal, Boolean or String; addresses are String.',
);
const descriptions: readonly Node[] = [
  text('Description', 'What it is, in a sentence.', { expandedBy: 'Description' }),
  text(
    'TranslatedDescription',
    'The same in the language of $lang where it is translated, else in English.',
    {
      expandedBy: 'TranslatedDescription',
    },
  ),
];
const applicableDomainValues = link(
  'ApplicableDomainValues',
  'Address of the list of the values that it can have; null where it holds no domain value.',
  '/system/domain-values/applicable-values?object={}&field={}',
  { isNullable: true, expandedBy: 'ApplicableDomainValues' },
);

const uriParameter: Group = group('UriParameter', 'A parameter of the path, or one after the `?`.', [
  name('Name of the parameter.'),
  datatype,
  ...descriptions,
  boolean('IsRequired', 'Whether the resource cannot be asked without it.'),
  integer('MinimumValue', 'Smallest value; null: there is none.', { isNullable: true }),
  integer('MaximumValue', 'Largest value; null: there is none.', { isNullable: true }),
  text('DefaultValue', 'What it is where it is left out; null: nothing.', { isNullable: true }),
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
    'Where it is in the JSON of the object, or of an item of the list, with dots between and [] behind what is an array. $select takes what stands before a [].',
  ),
  ...descriptions,
  boolean('HasDomainDescription', 'Whether $showDomainDescriptions=true explains its values.'),
  applicableDomainValues,
  text('ExpandParameter', 'What $expand has to be for it; null: it is served without.', {
    isNullable: true,
    expandedBy: EXPANDABLE_FIELDS,
  }),
]);

const filterField: Group = group('FilterField', 'A field that $filter knows.', [
  name('What $filter calls it.'),
  translatedName,
  datatype,
  ...descriptions,
  applicableDomainValues,
  text('MacroSet', 'The macros that it can be compared with; null: none, as $filter has no macros.', {
    isNullable: true,
  }),
]);

const sortableField: Group = group('SortableField', 'A field that $orderby knows.', [
  name('What $orderby calls it.'),
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
  'Whether the token may read the resource: null throughout where it may.',
  [
    text('AccessDenied', 'Why not: the message that a request gets, in the language of $lang.', {
      isNullable: true,
    }),
    integer('AccessRuleId', 'Number of the duty that is missing; null: none is.', { isNullable: true }),
    integer('MissingPermissionId', "Number of the client's permission that is missing; null: none is.", {
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
    'What a resource is, as the token of the request may see it: fields that it lacks the duty for are left out. Beyond the specification.',
  clientPermission: undefined,
  duty: undefined,
  source: { computed: 'metadata' },
  parameters: [
    {
      name: 'uri',
      description:
        'Path of a resource, with identifiers or with their names in braces, with or without a slash before it, or its whole address; what stands after a ? does not matter.',
      isRequired: true,
      example: '/product/products',
    },
    {
      name: 'verb',
      description:
        'Method that the resource is asked with, in any case; resources answer to GET and HEAD only.',
      isRequired: false,
      example: 'GET',
      byDefault: 'GET',
    },
  ],
  fields: [
    text('Description', 'What the resource tells.', { expandedBy: 'Description' }),
    text('Uri', 'Path of the resource below the address of the service; {name} stands for an identifier.'),
    integer('MaximumResultRows', 'Most rows of a page, as $top=$max gives them; null: it is no list.', {
      isNullable: true,
    }),
    admittance,
    collection(
      'UriParameters',
      'The identifiers in the path, and the parameters that not every resource takes.',
      () => uriParameter,
      { expandedBy: 'URIParameters' },
    ),
    collection('InputFields', 'Empty, as resources are only read.', () => inputField),
    collection(
      'ResponseFields',
      `The fields of the object, or of an item of the list; with $expand=${EXPANDABLE_FIELDS} also those that are served on request only. Paging, which every list has, is none of them.`,
      () => responseField,
    ),
    collection('FilterFields', 'The fields that $filter knows; empty: it is no list.', () => filterField),
    collection(
      'SortableFields',
      'The fields that $orderby knows; empty: it is no list.',
      () => sortableField,
    ),
    collection('NamedFilters', 'Empty, as $filter knows no filters by name.', () => namedFilter),
    collection('MacroDefinitions', 'Empty, as $filter has no macros.', () => macroDefinition, {
      expandedBy: 'MacroDefinitions',
    }),
  ],
});
