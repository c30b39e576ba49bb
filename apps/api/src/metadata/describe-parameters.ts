import { limits } from '@takt/query-options';
import { type ListResource, PAGING_DETAILS, type PathParameter, type Resource } from '@takt/resources';
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
import { sharedParametersOf } from './shared-parameters.js';

/**
 * Everything a request for a resource may say besides its token. `x-fields` lists the names that a value may hold.
 * Examples stand in the schemas: those of a parameter itself would be filled in by Swagger UI, and so be sent.
 */
export function describeParameters(resource: Resource): readonly JsonObject[] {
  return [
    ...(resource.kind === 'list' ? listParameters(resource) : resource.pathParameters.map(pathParameter)),
    selectParameter(resource),
    expandParameter,
    ...sharedParametersOf(resource.kind),
    minimumVersionParameter(resource),
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

function listParameters(resource: ListResource): readonly JsonObject[] {
  const fields = queryNames(resource);
  return [
    ...(resource.searched.length === 0 ? [] : [searchParameter]),
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

const searchParameter: JsonObject = {
  name: 'search',
  in: 'query',
  description: `Serves only the rows in which every one of these words occurs; at most ${limits.searchWords} words.`,
  schema: { type: 'string', maxLength: limits.valueCharacters },
};

function topParameter({ defaultPageSize, maximumPageSize }: ListResource): JsonObject {
  return {
    name: '$top',
    in: 'query',
    description: `Rows per page: from 1; above ${maximumPageSize} it means ${maximumPageSize}, as does \`$max\`.`,
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
      'Serves only these fields and groups, with commas between them: by name alone (every field of that name), or with the groups around it and dots between, or by the name that `$filter` has for it; `*` is everything. What is expanded comes along. What it leaves out is missing in the answer, whatever its schema requires.',
    schema: {
      type: 'string',
      maxLength: limits.valueCharacters,
      examples: [names.slice(0, 1), names.slice(0, 2)].map((some) => some.join(',')),
    },
    'x-fields': names,
  };
}

const expandParameter: JsonObject = {
  name: '$expand',
  in: 'query',
  description: `What is served on request only, with commas between. \`${PAGING_DETAILS}\` adds the keys of the pages to the Paging of a list.`,
  schema: { type: 'string', maxLength: limits.valueCharacters, examples: [PAGING_DETAILS] },
  'x-fields': [PAGING_DETAILS],
};

function minimumVersionParameter({ version }: Resource): JsonObject {
  return {
    name: '$useMinimumVersion',
    in: 'query',
    description: `Runs at least this version of the resource where the client is bound to an older one; the newest is ${version}.`,
    schema: { type: 'integer', minimum: 0, maximum: version },
  };
}
