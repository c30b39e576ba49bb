import type { Language } from '@takt/error-catalogue';
import type { QueryParameter } from '@takt/query-options';
import type { Collection, DetailResource, Field, Group, ListResource } from '@takt/resources';

/** What a row holds for a field; a collection holds a row per item. */
export type Value = string | number | boolean | null | Row;
export type Row = readonly Value[];

/** What is served of a resource: its definition without what was not asked for, with the place of each value. */
export type OutlineNode = OutlineField | OutlineGroup | OutlineCollection;

export interface OutlineField {
  readonly kind: 'field';
  readonly field: Field;
  /** Place of the value in a row. */
  readonly index: number;
}

export interface OutlineGroup {
  readonly kind: 'group';
  readonly group: Group;
  readonly children: readonly OutlineNode[];
}

export interface OutlineCollection {
  readonly kind: 'collection';
  readonly collection: Collection;
  /** Outline of one item, whose indexes are places in the item's own row. */
  readonly item: () => OutlineGroup;
  readonly index: number;
}

/** A page key with the absolute address that leads there. */
export interface PageLink {
  readonly key: string;
  readonly href: string;
}

export interface Paging {
  readonly pageSize: number;
  /** Of the first element, from 1; 0 in an empty list. */
  readonly position: number;
  /** From 1; 0 in an empty list. */
  readonly page: number;
  readonly first: PageLink;
  /** null: there is no such page. */
  readonly previous: PageLink | null;
  readonly next: PageLink | null;
  readonly last: PageLink;
  /** Exact number of records; undefined where it was not asked for. */
  readonly size: number | undefined;
  /** Whether the keys themselves were asked for. */
  readonly withKeys: boolean;
}

export interface ListPage {
  readonly resource: ListResource;
  readonly outline: readonly OutlineNode[];
  readonly rows: readonly Row[];
  readonly paging: Paging;
}

export interface DetailPage {
  readonly resource: DetailResource;
  readonly outline: readonly OutlineNode[];
  readonly row: Row;
}

export interface Company {
  readonly companyId: number;
  readonly code: string;
  readonly name: string;
}

/** What a writer knows of the request besides what it writes. */
export interface WritingContext {
  readonly language: Language;
  readonly requestId: string;
  /** Absolute, without a slash at its end. */
  readonly baseUrl: string;
  /** `?$format=...&$db=...` where the request named them, else empty: the end of every link in the data. */
  readonly linkSuffix: string;
  /** Path below the base URL and parameters as they came, for the links of a page that people look at. */
  readonly path: string;
  readonly parameters: readonly QueryParameter[];
  /** The company that the request runs against and all that its token knows; undefined before identity is known. */
  readonly company: Company | undefined;
  readonly companies: readonly Company[];
}
