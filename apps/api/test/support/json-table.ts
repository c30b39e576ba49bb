import { expect } from 'chai';
import type { HttpClient, HttpHeaders } from './http-client.js';
import { SERVED_AT } from './serve-api.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A value of a table; null if it is missing. */
export type Cell = string | number | boolean | null;

/** Reads all pages of a list in JSON, following nextPage. Returns each row as its simple values in order. */
export async function jsonTable(
  client: HttpClient,
  target: string,
  headers: HttpHeaders,
): Promise<readonly (readonly Cell[])[]> {
  const rows: (readonly Cell[])[] = [];
  let next: string | null = target;
  while (next !== null) {
    const { status, text } = await client.get(next, headers);
    expect(status, text).to.equal(200);
    const { paging, ...container }: { readonly paging: Paging } & Readonly<Record<string, readonly Json[]>> =
      JSON.parse(text);
    for (const items of Object.values(container)) rows.push(...items.map(cellsIn));
    next = paging.nextPage?.replace(SERVED_AT, '') ?? null;
  }
  return rows;
}

interface Paging {
  readonly nextPage: string | null;
}

function cellsIn(value: Json): readonly Cell[] {
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(cellsIn)
    : [value as Cell];
}
