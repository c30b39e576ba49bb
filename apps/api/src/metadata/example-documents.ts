import { describeError, type ServiceError } from '@takt/error-catalogue';
import { jsonName, type Node, type Resource } from '@takt/resources';
import type { Row, Value } from '../query/outline.js';
import { planColumns } from '../query/plan-columns.js';
import { jsonWriter } from '../representations/json-writer.js';
import type { WritingContext } from '../representations/page.js';
import type { JsonObject } from './describe-schemas.js';
import { exampleOwn, examplePath } from './query-guide.js';

/** Documents as the service itself writes them, so that an example never has another shape than an answer. */
function written(pieces: Iterable<string>): JsonObject {
  return JSON.parse([...pieces].join(''));
}

/** What is served to who asks for nothing in particular. */
export function exampleDocument(resource: Resource, baseUrl: string): JsonObject {
  const context = contextOf(baseUrl);
  const { outline, columns } = planColumns(resource.fields, {
    ...{ selection: undefined, expansion: new Set<string>(), expandsAll: false, withDescriptions: false },
  });
  const row = columns.flatMap(exampleValues);
  if (resource.kind === 'detail') return written(jsonWriter.detail({ resource, outline, row }, context));
  const key = 'eyJvIjoxfQ';
  const query = [...exampleOwn(resource), `$pageKey=${key}`].join('&');
  const only = { key, href: `${baseUrl}${examplePath(resource)}?${query}` };
  const paging = {
    ...{ pageSize: resource.defaultPageSize, position: 1, page: 1, size: undefined, withKeys: false },
    ...{ first: only, previous: null, next: null, last: only },
  };
  return written(jsonWriter.list({ resource, outline, rows: [row], paging }, context));
}

export function exampleError(error: ServiceError, baseUrl: string): JsonObject {
  return written(jsonWriter.error(describeError(error, 'eng'), contextOf(baseUrl)));
}

export function exampleIndex(baseUrl: string): JsonObject {
  return written(jsonWriter.index(contextOf(baseUrl)));
}

const contextOf = (baseUrl: string): WritingContext => ({
  ...{
    language: 'eng',
    requestId: '',
    readAt: new Date(0),
    baseUrl,
    linkSuffix: '',
    path: '/',
    parameters: [],
  },
  ...{ company: undefined, companies: [], mayRead: () => true, visitor: { kind: 'unknown' } },
});

/** A value for each field below a node, in the order of the outline. */
function exampleValues(node: Node): readonly Value[] {
  switch (node.kind) {
    case 'group':
      return node.children.flatMap(exampleValues);
    case 'collection': {
      const item: Row = exampleValues(node.item());
      return [[item]];
    }
    case 'field':
      return [exampleValue(node)];
  }
}

const IDENTIFIER = 10_001;

function exampleValue({ name, type, domain, linkPath }: Extract<Node, { kind: 'field' }>): Value {
  const [key] = Object.keys(domain?.values ?? {});
  if (key !== undefined) return type === 'integer' ? Number(key) : key;
  switch (type) {
    case 'integer':
      return name.endsWith('Id') ? IDENTIFIER : 4;
    case 'decimal':
      return 1.25;
    case 'boolean':
      return false;
    case 'instant':
      return '2026-03-02T12:00:00Z';
    case 'link':
      return linkPath?.match(/\{\}/g)?.map(() => IDENTIFIER) ?? IDENTIFIER;
    case 'text':
      return `A ${jsonName(name)}`;
  }
}
