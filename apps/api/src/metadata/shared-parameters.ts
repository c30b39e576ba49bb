import { decimalSigns, exportFormats, formats, limits } from '@takt/query-options';
import { languages } from '@takt/texts';
import type { JsonObject } from './describe-schemas.js';

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
  'Format of the answer; without it the Accept header decides, and without that it is JSON. `jsonstream` is the document of `json`, sent while it is made.';

/** What a file of a whole list is, in Markdown. */
export const EXPORTS =
  '`csv` and `xlsx`, by `$format` or the Accept header, give the whole filtered list as a file, not a page of it: a table with a header of field names, ordered as asked, of the fields that are shown or selected and of those expanded. `$top`, `$skip`, `$pageKey`, `$inlinecount` and `PagingDetails` are an error there.';

/** The parameters that are the same for all resources that take them, by the name they have as a component. */
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
      'Beyond the specification, with `$format=csv` alone. Without it numbers have a decimal point; `comma` writes decimal commas, separates values by semicolons and begins with a byte order mark, as spreadsheets of many countries take it.',
      { type: 'string', enum: [...decimalSigns] },
    ),
  },
  Language: {
    takenBy: 'every resource',
    parameter: query(
      '$lang',
      `Three-letter code of the language of messages and descriptions: ${languages.join(', ')}. Any other gives English.`,
      { type: 'string', enum: [...languages] },
    ),
  },
  Database: {
    takenBy: 'every resource',
    parameter: query(
      '$db',
      'Code of the company that the request runs against, one of those of the token; without it the default company of the token.',
      { type: 'string', maxLength: limits.valueCharacters },
    ),
  },
  ShowDomainDescriptions: {
    takenBy: 'every resource',
    parameter: query(
      '$showDomainDescriptions',
      'Adds to each field that holds a domain value what the value means, as a field of that name followed by Description.',
      { type: 'boolean', default: false },
    ),
  },
  IfNoneMatch: {
    takenBy: 'every resource',
    parameter: {
      name: 'If-None-Match',
      in: 'header',
      description: 'ETag of an answer that the client holds; if it is still right, it is not sent again.',
      schema: { type: 'string' },
    },
  },
  PageKey: {
    takenBy: 'lists',
    parameter: query(
      '$pageKey',
      'Leads to another page: a key that Paging gives with `$expand=PagingDetails`, or as it stands in the links of Paging. It belongs to one `$filter`, `$orderby` and search.',
      { type: 'string', maxLength: limits.valueCharacters },
    ),
  },
  Skip: {
    takenBy: 'lists',
    parameter: query('$skip', 'Rows to leave out at the beginning; not together with `$pageKey`.', {
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

/** The shared parameters as components of the document. */
export function describeSharedParameters(): JsonObject {
  return Object.fromEntries(
    Object.entries(sharedParameters).map(([name, { parameter }]) => [name, parameter]),
  );
}

/** References to those that mean something to the index of the service. */
export function indexParameters(): readonly JsonObject[] {
  return ['Format', 'Language'].map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** References to the shared parameters that a resource of this kind takes. */
export function sharedParametersOf(kind: 'list' | 'detail'): readonly JsonObject[] {
  return Object.entries(sharedParameters)
    .filter(([, { takenBy }]) => takenBy === 'every resource' || takenBy === `${kind}s`)
    .map(([name]) => ({ $ref: `#/components/parameters/${name}` }));
}
