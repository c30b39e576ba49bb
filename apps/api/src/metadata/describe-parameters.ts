import {
  COMPARED_IDS,
  expandableIn,
  type ListResource,
  leavesOf,
  PAGING_DETAILS,
  type PathParameter,
  type Resource,
  type ResourceParameter,
} from '@takt/catalogue/resources';
import { decimalSigns, exportFormats, formats, limits, MONTH_PATTERN } from '@takt/query';
import { languages } from '@takt/texts';
import type { JsonObject } from './describe-schemas.js';
import {
  exampleIdentifier,
  filterDescription,
  filterExamples,
  filterNames,
  orderDescription,
  orderExamples,
  queryNames,
  selectableNames,
} from './query-guide.js';

/**
 * Describes the parameters of a resource except the token. `x-fields` lists the names that the value of a parameter may
 * contain. Examples are in the schemas of the parameters: if they were in the parameters themselves, Swagger UI would
 * fill them in and send them.
 */
export function describeParameters(resource: Resource): readonly JsonObject[] {
  return [
    ...resource.pathParameters.map(pathParameter),
    ...(resource.parameters ?? []).map(ownParameter),
    ...(resource.kind === 'list' ? listParameters(resource) : []),
    selectParameter(resource),
    expandParameter(resource),
    ...sharedParametersOf(resource.kind),
    minimumVersionParameter(resource),
  ];
}

/**
 * Describes the parameters of a comparison of structure versions. They are the parameters of the list, except those for
 * filter, order and pages.
 */
export function comparisonParametersOf(resource: ListResource): readonly JsonObject[] {
  return [
    ...[COMPARED_IDS, ...(resource.parameters ?? [])].map(ownParameter),
    selectParameter(resource),
    expandParameter(resource),
    ...sharedParametersOf('detail'),
  ];
}

function pathParameter(parameter: PathParameter): JsonObject {
  return {
    name: parameter.name,
    in: 'path',
    required: true,
    description: parameter.description,
    schema: { type: 'integer', format: 'int64', minimum: parameter.minimum },
    example: exampleIdentifier(parameter),
  };
}

function ownParameter(parameter: ResourceParameter): JsonObject {
  const { name, description, isRequired, byDefault, example, known, month } = parameter;
  return {
    name,
    in: 'query',
    required: isRequired,
    description,
    schema: {
      type: 'string',
      // Known values are described as examples, not as an enum, because any case is accepted and because the valid
      // values depend on the preceding parameters.
      ...(known === undefined && month === undefined ? { maxLength: limits.valueCharacters } : {}),
      ...(month === undefined ? {} : { pattern: `^${MONTH_PATTERN}$` }),
      ...(byDefault === undefined ? {} : { default: byDefault }),
      examples: known === undefined ? [example] : known(new Map()),
    },
  };
}

function listParameters(resource: ListResource): readonly JsonObject[] {
  const fields = queryNames(resource);
  return [
    ...(resource.searched.length === 0 ? [] : [searchParameter(resource)]),
    {
      name: '$filter',
      in: 'query',
      description: filterDescription(resource),
      schema: { type: 'string', maxLength: limits.filterCharacters, examples: filterExamples(resource) },
      'x-fields': filterNames(resource),
    },
    {
      name: '$orderby',
      in: 'query',
      description: orderDescription(resource),
      schema: { type: 'string', maxLength: limits.valueCharacters, examples: orderExamples(resource) },
      'x-fields': fields,
    },
    topParameter(resource),
  ];
}

function searchParameter({ searched, fields }: ListResource): JsonObject {
  const leaves = leavesOf(fields);
  const places = searched.map((field) => leaves.find(({ node }) => node === field)?.path.join('.'));
  return {
    name: 'search',
    in: 'query',
    description: `Serves only rows that contain each of these words, in any case, in any of ${places.join(', ')}; at most ${limits.searchWords} words.`,
    schema: { type: 'string', maxLength: limits.valueCharacters },
  };
}

function topParameter({ defaultPageSize, maximumPageSize }: ListResource): JsonObject {
  return {
    name: '$top',
    in: 'query',
    description: `Rows per page: 1 to ${maximumPageSize}, ${defaultPageSize} by default. Values above ${maximumPageSize}, and \`$max\`, mean ${maximumPageSize}.`,
    schema: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', const: '$max' },
      ],
      default: defaultPageSize,
    },
    'x-maximum': maximumPageSize,
  };
}

function selectParameter(resource: Resource): JsonObject {
  const names = selectableNames(resource);
  return {
    name: '$select',
    in: 'query',
    description:
      'Serves only these fields and groups, separated by commas: by name alone (all fields of that name), with the surrounding groups separated by dots, or by the name in `$filter`; `*` means everything. Expanded parts are served too; fields served on request only are served if named here, without `$expand`. Other fields are missing from the answer, even if the schema requires them.',
    schema: {
      type: 'string',
      maxLength: limits.valueCharacters,
      examples: [names.slice(0, 1), names.slice(0, 2)].map((some) => some.join(',')),
    },
    'x-fields': names,
  };
}

function expandParameter(resource: Resource): JsonObject {
  const expandable = expandableIn(resource);
  const names = [...new Set([PAGING_DETAILS, ...expandable.map(({ expandedBy }) => expandedBy)])];
  const added = [...new Set(expandable)].map(
    (node) => `\`${node.expandedBy}\` adds ${node.name}: ${node.description}`,
  );
  return {
    name: '$expand',
    in: 'query',
    description: [
      'Parts that are served on request only, separated by commas.',
      `\`${PAGING_DETAILS}\` adds the page keys to the Paging of a list.`,
      ...added,
    ].join(' '),
    schema: {
      type: 'string',
      maxLength: limits.valueCharacters,
      examples: [...new Set([PAGING_DETAILS, names.join(',')])],
    },
    'x-fields': names,
  };
}

function minimumVersionParameter({ version }: Resource): JsonObject {
  return {
    name: '$useMinimumVersion',
    in: 'query',
    description: `The minimum version of the resource, for a client pinned to an older one; the newest is ${version}.`,
    schema: { type: 'integer', minimum: 0, maximum: version },
  };
}

interface SharedParameter {
  readonly takenBy: 'every resource' | 'lists' | 'details';
  readonly parameter: JsonObject;
}

const query = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'query',
  description,
  schema,
});

const FORMAT_OF_A_DOCUMENT =
  'Format of the answer; default by the Accept header, otherwise JSON. `jsonstream` is the same document as `json`.';

export const EXPORTS =
  '`csv` and `xlsx`, by `$format` or the Accept header, return the whole filtered list as a file instead of a page: a table with a header of field names, in the requested order, with the shown or selected fields and the expanded ones. `$top`, `$skip`, `$pageKey`, `$inlinecount` and `PagingDetails` are errors there.';

/** Parameters that several resources share, by the names of their components in the document. */
const sharedParameters: Readonly<Record<string, SharedParameter>> = {
  Format: {
    takenBy: 'details',
    parameter: query('$format', FORMAT_OF_A_DOCUMENT, { type: 'string', enum: [...formats] }),
  },
  FormatOfList: {
    takenBy: 'lists',
    parameter: query('$format', `${FORMAT_OF_A_DOCUMENT} **Beyond the specification:** ${EXPORTS}`, {
      type: 'string',
      enum: [...formats, ...exportFormats],
    }),
  },
  Decimal: {
    takenBy: 'lists',
    parameter: query(
      '$decimal',
      'Beyond the specification, only with `$format=csv`. The default is a decimal point; `comma` writes decimal commas, separates values by semicolons and starts with a byte order mark, as spreadsheets in many countries expect.',
      { type: 'string', enum: [...decimalSigns] },
    ),
  },
  Language: {
    takenBy: 'every resource',
    parameter: query(
      '$lang',
      `Three-letter code of the language of messages and descriptions: ${languages.join(', ')}. Any other means English.`,
      { type: 'string', enum: [...languages] },
    ),
  },
  Database: {
    takenBy: 'every resource',
    parameter: query('$db', "Code of a company of the token; default the token's default company.", {
      type: 'string',
      maxLength: limits.valueCharacters,
    }),
  },
  ShowDomainDescriptions: {
    takenBy: 'every resource',
    parameter: query(
      '$showDomainDescriptions',
      'Adds the meaning of each domain value, as a field with the suffix Description.',
      { type: 'boolean', default: false },
    ),
  },
  IfNoneMatch: {
    takenBy: 'every resource',
    parameter: {
      name: 'If-None-Match',
      in: 'header',
      description:
        "ETag of the client's copy of the answer; if the document has not changed, it is not sent again.",
      schema: { type: 'string' },
    },
  },
  PageKey: {
    takenBy: 'lists',
    parameter: query(
      '$pageKey',
      'Selects another page: a key from Paging with `$expand=PagingDetails`, or from the links of Paging. It is valid for one `$filter`, `$orderby` and search.',
      { type: 'string', maxLength: limits.valueCharacters },
    ),
  },
  Skip: {
    takenBy: 'lists',
    parameter: query('$skip', 'Number of rows to skip; not together with `$pageKey`.', {
      type: 'integer',
      minimum: 0,
      maximum: limits.skippedRows,
    }),
  },
  InlineCount: {
    takenBy: 'lists',
    parameter: query(
      '$inlinecount',
      '`allpages` adds the number of all rows to Paging, as Size; `$count=true` means the same.',
      {
        type: 'string',
        enum: ['none', 'allpages'],
        default: 'none',
      },
    ),
  },
};

export function describeSharedParameters(): JsonObject {
  return Object.fromEntries(
    Object.entries(sharedParameters).map(([name, { parameter }]) => [name, parameter]),
  );
}

export function indexParameters(): readonly JsonObject[] {
  return ['Format', 'Language'].map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function sharedParametersOf(kind: 'list' | 'detail'): readonly JsonObject[] {
  return Object.entries(sharedParameters)
    .filter(([, { takenBy }]) => takenBy === 'every resource' || takenBy === `${kind}s`)
    .map(([name]) => ({ $ref: `#/components/parameters/${name}` }));
}
