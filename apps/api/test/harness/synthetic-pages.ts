import type { DetailResource, Field, ListResource, Node } from '@takt/catalogue/resources';
import { outlineOf } from '../../src/query/outline.js';
import type { DetailPage, ListPage, Paging, Row, Value } from '../../src/representations/page.js';

const PAGING: Paging = {
  pageSize: 10,
  position: 1,
  page: 1,
  first: { key: 'first', href: 'https://takt.example/first' },
  previous: null,
  next: null,
  last: { key: 'last', href: 'https://takt.example/last' },
  size: undefined,
  withKeys: false,
};

/** The fields of a definition in the order of a row. */
export function fieldsOf(nodes: readonly Node[]): readonly Field[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return fieldsOf(node.children);
    return node.kind === 'field' ? [node] : [];
  });
}

/** A row of the whole definition, its values given by field; a collection has one item with these texts. */
export function rowOf(nodes: readonly Node[], valueIn: (field: Field) => Value, items: Row = []): Row {
  return nodes.flatMap((node): Row => {
    if (node.kind === 'group') return rowOf(node.children, valueIn, items);
    return node.kind === 'field' ? [valueIn(node)] : [[items]];
  });
}

export function listPageOf(
  resource: ListResource,
  rows: readonly Row[],
  paging: Partial<Paging> = {},
): ListPage {
  return { resource, outline: outlineOf(resource.fields), rows, paging: { ...PAGING, ...paging } };
}

export function detailPageOf(resource: DetailResource, row: Row): DetailPage {
  return { resource, outline: outlineOf(resource.fields), row };
}
