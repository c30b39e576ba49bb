import { isDeepStrictEqual } from 'node:util';
import type { Served } from './find-deep-pages.js';
import type { LoadRequest } from './http-load.js';
import type { PeerName } from './peer-questions.js';

interface ListDocument {
  readonly productStructureVersionAggregatedProductionTimes: readonly unknown[];
}
interface CapDocument {
  readonly value: readonly { readonly ProductStructureVersionId: number }[];
}

const CHECKED = 20;

/** Throws where what is made by hand is another list than ours, or CAP gives other rows. */
export async function checkPeers(
  served: Readonly<Record<PeerName, Served>>,
  requests: Readonly<Record<PeerName, readonly LoadRequest[]>>,
): Promise<void> {
  for (const [index, { path }] of requests.takt.slice(0, CHECKED).entries()) {
    const ours = await ask<ListDocument>(served.takt, path);
    const byHand = await ask<ListDocument>(served['by hand'], requests['by hand'][index]?.path);
    const cap = await ask<CapDocument>(served.CAP, requests.CAP[index]?.path);
    const items = ours.productStructureVersionAggregatedProductionTimes;
    if (!isDeepStrictEqual(items, byHand.productStructureVersionAggregatedProductionTimes)) {
      throw new Error(`${path}: what is made by hand differs`);
    }
    const idsOfCap = cap.value.map(({ ProductStructureVersionId }) => ProductStructureVersionId);
    if (!isDeepStrictEqual(items.map(idOf), idsOfCap)) throw new Error(`${path}: CAP gives other rows`);
  }
}

function idOf(item: unknown): number {
  const { productStructureVersion } = item as {
    readonly productStructureVersion: { readonly productStructureVersionId: number };
  };
  return productStructureVersion.productStructureVersionId;
}

/** The document without its origin, in which links differ. */
async function ask<Document>({ origin, token }: Served, path = ''): Promise<Document> {
  const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${origin}${path}: ${text.slice(0, 300)}`);
  return JSON.parse(text.replaceAll(origin, '')) as Document;
}
