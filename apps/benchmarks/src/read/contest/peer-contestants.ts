import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { ServedSize } from '../fill-database.js';
import { columnOf, TIMES } from '../make-requests.js';
import type { Contestant } from './http-load.js';
import { type LoadRequest, runHttpLoad } from './http-load.js';
import type { LoadOptions } from './our-contestants.js';
import {
  FIRST_PAGES,
  findDeepPages,
  makeFilteredPages,
  type PeerName,
  type PeerQuestion,
  pathOf,
  type Served,
} from './peer-questions.js';
import { installPeers, type Peer, startPeer } from './start-peers.js';

interface PeerContest {
  readonly contestants: readonly Contestant[];
  /** Which page the deep one is. */
  readonly deepPage: number;
  readonly close: () => Promise<void>;
}

/** The same pages asked of our API, of a handler made by hand and of CAP, all with as many connections to PostgreSQL. */
export async function openPeerContest(size: ServedSize, options: LoadOptions): Promise<PeerContest> {
  await installPeers();
  await fillCapTable(size.database.pool);
  const peer = { databaseUrl: size.url, companyId: size.company.id, token: size.token };
  const byHand = await startPeer('by-hand.js', peer);
  const cap = await startPeer('cap.js', peer);
  const close = async () => {
    await byHand.stop();
    await cap.stop();
  };
  try {
    const pages = await makePages(size, { byHand, cap }, options.seed);
    return { ...pages, contestants: toContestants(pages.requests, { size, byHand, cap }, options), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Requests = Readonly<Record<PeerName, readonly LoadRequest[]>>;
type PageName = 'first page' | 'filtered page' | 'deep page';
type PageRequests = Readonly<Record<PageName, Requests>>;

async function makePages(
  { api, token, rows }: ServedSize,
  { byHand, cap }: Readonly<Record<'byHand' | 'cap', Peer>>,
  seed: number,
): Promise<{ readonly requests: PageRequests; readonly deepPage: number }> {
  const served = {
    takt: { origin: api.origin, token },
    'by hand': { origin: byHand.origin, token },
    CAP: { origin: cap.origin, token },
  };
  const asking = (questions: readonly PeerQuestion[]): Requests => {
    const of = (name: PeerName) => questions.map((question) => ({ path: pathOf(name, question) }));
    return { takt: of('takt'), 'by hand': of('by hand'), CAP: of('CAP') };
  };
  const deep = {
    takt: await findDeepPages('takt', served.takt, rows),
    'by hand': await findDeepPages('by hand', served['by hand'], rows),
    CAP: await findDeepPages('CAP', served.CAP, rows),
  };
  const requests: PageRequests = {
    'first page': asking(FIRST_PAGES),
    'filtered page': asking(makeFilteredPages(seed)),
    'deep page': { takt: deep.takt.requests, 'by hand': deep['by hand'].requests, CAP: deep.CAP.requests },
  };
  for (const page of Object.values(requests)) await checkPeers(served, page);
  return { requests, deepPage: deep.takt.page };
}

function toContestants(
  requests: PageRequests,
  peers: { readonly size: ServedSize; readonly byHand: Peer; readonly cap: Peer },
  { connections, seconds }: LoadOptions,
): readonly Contestant[] {
  const { token } = peers.size;
  const servers = { takt: peers.size.api, 'by hand': peers.byHand, CAP: peers.cap };
  return Object.entries(requests).flatMap(([page, asked]) =>
    (['takt', 'by hand', 'CAP'] as const).map((name) => {
      const { origin, pid } = servers[name];
      const load = { origin, requests: asked[name], token, connections, seconds };
      return { name: `${name}, ${page}`, pid, run: () => runHttpLoad(load) };
    }),
  );
}

interface ListDocument {
  readonly productStructureVersionAggregatedProductionTimes: readonly unknown[];
}
interface CapDocument {
  readonly value: readonly { readonly ProductStructureVersionId: number }[];
}

const CHECKED = 20;

/** Throws where what is made by hand is another list than ours, or CAP gives other rows. */
async function checkPeers(
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

const COUNT = 'NumberOfCompletedProductionWorkOrders';

/**
 * The same rows as a service of CAP keeps them: times as decimal hours, one table as its model says, and an index for
 * each field in the very form in which it orders, to be read in both directions.
 */
async function fillCapTable(pool: pg.Pool): Promise<void> {
  const hours = TIMES.map((time) => `(${columnOf(time)} / 1000000.0)::numeric(13,6) AS ${time}`);
  await pool.query('CREATE SCHEMA cap');
  await pool.query(`
    CREATE TABLE cap.ProductionTimes_Versions AS
    SELECT product_structure_version_id AS ProductStructureVersionId, listed.status, listed.name, version, revision,
      product_id AS ProductId, product.status AS ProductStatus, product.name AS ProductName, type AS ProductType,
      description AS ProductDescription, number_of_completed_operations AS ${COUNT}, ${hours.join(', ')}
    FROM takt.product_structure_versions listed JOIN takt.products product USING (company_id, product_id)
    ORDER BY 1`);
  await pool.query('ALTER TABLE cap.ProductionTimes_Versions ADD PRIMARY KEY (ProductStructureVersionId)');
  for (const field of [...TIMES, COUNT]) {
    await pool.query(`
      CREATE INDEX ON cap.ProductionTimes_Versions
      (${field} ASC NULLS FIRST, ProductStructureVersionId ASC NULLS FIRST)`);
  }
  await pool.query('VACUUM ANALYZE cap.ProductionTimes_Versions');
}
