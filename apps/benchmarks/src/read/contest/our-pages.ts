import type { ServedSize } from '../filled-size.js';
import type { Contestant } from './contestant.js';
import type { LoadRequest } from './http-load.js';
import { type LoadOptions, ours } from './our-contestants.js';
import { FIRST_PAGES, pathOf } from './peer-questions.js';

const FIRST: readonly LoadRequest[] = FIRST_PAGES.map((question) => ({ path: pathOf('takt', question) }));
const HTML: readonly LoadRequest[] = FIRST.map(({ path }) => ({ path: `${path}&$format=html` }));

/**
 * The same first pages for who has none of them, as a document for people, and, by an API that keeps answers as it does by
 * default, for who asks again and for who has them all.
 */
export async function makeFirstPages(
  size: ServedSize,
  keeping: ServedSize,
  options: LoadOptions,
): Promise<readonly Contestant[]> {
  return [
    ours('takt, first page', size, FIRST, options),
    ours('takt, first page as HTML', size, HTML, options),
    ours('takt, first page kept', keeping, FIRST, options),
    ours('takt, first page not modified', keeping, await withEtags(keeping), options),
  ];
}

/** Bytes of a page of HTML as it is without compression, of the longest one. */
export async function measureHtmlBytes(size: ServedSize): Promise<number> {
  const lengths: number[] = [];
  for (const { path } of HTML) {
    const page = await (await ask(size, path)).arrayBuffer();
    lengths.push(page.byteLength);
  }
  return Math.max(...lengths);
}

async function withEtags(size: ServedSize): Promise<readonly LoadRequest[]> {
  const requests: LoadRequest[] = [];
  for (const { path } of FIRST) {
    const response = await ask(size, path);
    await response.arrayBuffer();
    const etag = response.headers.get('etag') ?? '';
    const again = await ask(size, path, { 'If-None-Match': etag });
    if (again.status !== 304) throw new Error(`${path}: ${again.status} for who has ${etag}`);
    requests.push({ path, etag });
  }
  return requests;
}

/** As wrk asks: without compression. */
function ask({ api, token }: ServedSize, path: string, headers: Readonly<Record<string, string>> = {}) {
  const all = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity', ...headers };
  return fetch(api.origin + path, { headers: all });
}
