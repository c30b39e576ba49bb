import { paging as definition, type Group, size } from '@takt/resources';
import { outlineOfGroup } from './outline.js';
import type { OutlineGroup, Paging, Row } from './page.js';

/** The Paging object as an outline and its values: without the keys and the size where they were not asked for. */
export function describePaging(paging: Paging): { readonly outline: OutlineGroup; readonly row: Row } {
  const values: Row = [
    paging.pageSize,
    paging.position,
    paging.page,
    paging.first.key,
    paging.first.href,
    paging.previous?.key ?? null,
    paging.previous?.href ?? null,
    paging.next?.key ?? null,
    paging.next?.href ?? null,
    paging.last.key,
    paging.last.href,
    paging.size ?? null,
  ];
  const isServed = definition.children.map(
    (node) =>
      node.kind !== 'field' ||
      ((node.expandedBy === undefined || paging.withKeys) && (node !== size || paging.size !== undefined)),
  );
  const served: Group = {
    ...definition,
    children: definition.children.filter((_, index) => isServed[index]),
  };
  return { outline: outlineOfGroup(served), row: values.filter((_, index) => isServed[index]) };
}
