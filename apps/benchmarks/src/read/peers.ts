import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { whenStarted } from '@takt/database/testing';
import { findFreePort, spawnObserved } from '@takt/test-support';
import type pg from 'pg';
import { type Contestant, type Defer, say } from '../harness.js';
import { type LoadRequest, runHttpLoad, withCpu } from './load.js';
import type { ContestOptions } from './our-contestants.js';
import {
  COUNT,
  columnOf,
  FIRST_PAGES,
  makeFilteredPages,
  PAGE_SIZE,
  PEERS,
  type PeerName,
  type PeerQuestion,
  pathOf,
  TIMES,
} from './requests.js';
import type { ServedList } from './serve-list.js';

const DEEP_ORDERS: readonly PeerQuestion[] = [
  { order: 'AverageRunTime', descends: false },
  { order: 'LongestSetupTime', descends: true },
  { order: 'RunTime', descends: true },
];
/**
 * Number of the deepest page that is requested. The pages before it are requested too, so that not all rows stay in
 * memory.
 */
const DEEPEST_PAGE = 1_000;
const DEEP_PAGES = 20;
/** Number of connections to PostgreSQL. It is the default of the API. */
const CONNECTIONS = 8;
const CHECKED_PAGES = 20;
const SOURCE = new URL('../../../peers/', import.meta.url);
const INSTALLED = new URL('../../../build-output/peers/', import.meta.url);

interface Server {
  readonly origin: string;
  readonly pid: number;
}
type Servers = Readonly<Record<PeerName, Server>>;
type Requests = Readonly<Record<PeerName, readonly LoadRequest[]>>;

/**
 * Makes the contestants Takt, a handwritten handler, and SAP CAP. All of them serve the same first, filtered and deep
 * pages.
 */
export async function makePeerContestants(
  list: ServedList,
  defer: Defer,
  { connections, seconds, seed }: ContestOptions,
): Promise<readonly Contestant[]> {
  await installPeers();
  await fillCapTable(list.database.pool);
  const servers: Servers = {
    takt: list.api,
    'by hand': await startPeer('by-hand.js', list, defer),
    CAP: await startPeer('cap.js', list, defer),
  };
  const { token, database } = list;
  const contestants: Contestant[] = [];
  const add = async (page: string, pathsOf: (peer: PeerName) => Promise<readonly string[]>) => {
    const requestsOf = async (peer: PeerName) => (await pathsOf(peer)).map((path) => ({ path }));
    const requests: Requests = {
      takt: await requestsOf('takt'),
      'by hand': await requestsOf('by hand'),
      CAP: await requestsOf('CAP'),
    };
    await checkRows(servers, token, requests);
    for (const peer of PEERS) {
      const { origin, pid } = servers[peer];
      const load = { origin, token, requests: requests[peer], connections, seconds };
      contestants.push(withCpu(`${peer}, ${page}`, database.pool, [pid], () => runHttpLoad(load)));
    }
  };
  await add('first page', async (peer) => FIRST_PAGES.map((page) => pathOf(peer, page)));
  await add('filtered page', async (peer) => makeFilteredPages(seed).map((page) => pathOf(peer, page)));
  await add('deep page', (peer) => findDeepPages(peer, servers[peer].origin, list));
  return contestants;
}

/**
 * Finds the addresses of deep pages as a client does: by following the links from page to page. For CAP, the addresses
 * are found by counting rows.
 */
async function findDeepPages(
  peer: PeerName,
  origin: string,
  { rows, token }: ServedList,
): Promise<readonly string[]> {
  const pages = Math.min(DEEPEST_PAGE, Math.floor(rows / PAGE_SIZE) - 1);
  const found: string[] = [];
  for (const question of DEEP_ORDERS) {
    const paths = [pathOf(peer, question)];
    while (paths.length < pages) {
      const path = paths.at(-1) ?? '';
      if (peer === 'CAP') {
        paths.push(`${paths[0]}&$skip=${paths.length * PAGE_SIZE}`);
      } else {
        const { paging } = await ask<{ paging: { nextPage: string } }>(origin, token, path);
        paths.push(paging.nextPage);
      }
    }
    found.push(...paths.slice(-DEEP_PAGES));
  }
  return found;
}

interface ListDocument {
  readonly productStructureVersionAggregatedProductionTimes: readonly {
    readonly productStructureVersion: { readonly productStructureVersionId: number };
  }[];
}
interface CapDocument {
  readonly value: readonly { readonly ProductStructureVersionId: number }[];
}

/** Throws if the handwritten handler returns other items than Takt, or if CAP returns other rows than Takt. */
async function checkRows(servers: Servers, token: string, requests: Requests): Promise<void> {
  for (const [index, { path }] of requests.takt.slice(0, CHECKED_PAGES).entries()) {
    const answerOf = <Document>(peer: PeerName) =>
      ask<Document>(servers[peer].origin, token, requests[peer][index]?.path ?? '');
    const { productStructureVersionAggregatedProductionTimes: items } = await answerOf<ListDocument>('takt');
    const byHand = await answerOf<ListDocument>('by hand');
    if (!isDeepStrictEqual(items, byHand.productStructureVersionAggregatedProductionTimes)) {
      throw new Error(`${path}: the handler made by hand gives other items`);
    }
    const { value } = await answerOf<CapDocument>('CAP');
    const ids = items.map((item) => item.productStructureVersion.productStructureVersionId);
    const idsOfCap = value.map((item) => item.ProductStructureVersionId);
    if (!isDeepStrictEqual(ids, idsOfCap)) throw new Error(`${path}: CAP gives other rows`);
  }
}

/** Requests a document. The origin is removed from its text, so that links compare equal. */
async function ask<Document>(origin: string, token: string, path: string): Promise<Document> {
  const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${origin}${path}: ${text.slice(0, 300)}`);
  return JSON.parse(text.replaceAll(origin, '')) as Document;
}

/**
 * Installs the peers in the first run, and again after their lock file has changed. They are not a workspace of this
 * repository, because CAP has a licence that no package of this repository has.
 */
async function installPeers(): Promise<void> {
  const lock = new URL('package-lock.json', SOURCE);
  const installedLock = new URL('node_modules/.lock', INSTALLED);
  const read = (file: URL) => readFile(file, 'utf8').catch(() => '');
  const isInstalled = (await read(lock)) === (await read(installedLock));
  await mkdir(INSTALLED, { recursive: true });
  await cp(SOURCE, INSTALLED, { recursive: true });
  if (isInstalled) return;
  say('installing the peers from the registry');
  const options = ['--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['ci', ...options], { cwd: fileURLToPath(INSTALLED) });
  await cp(lock, installedLock);
}

async function startPeer(
  program: 'by-hand.js' | 'cap.js',
  { url, company, token }: ServedList,
  defer: Defer,
): Promise<Server> {
  const port = await findFreePort();
  const peer = spawnObserved([fileURLToPath(new URL(program, INSTALLED))], {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    CONNECTIONS: String(CONNECTIONS),
    PORT: String(port),
    TOKEN: token,
    COMPANY_ID: String(company.id),
  });
  defer(() => peer.stop());
  const origin = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${origin}/health`).catch(() => undefined))?.ok === true;
  await whenStarted(program, peer, isReady);
  return { origin, pid: peer.pid };
}

/**
 * Fills one table that has hours as decimals, as in the model of CAP, and an index for each sort order of the table.
 */
async function fillCapTable(pool: pg.Pool): Promise<void> {
  const hours = TIMES.map((time) => `(${columnOf(time)} / 1000000.0)::numeric(13,6) AS ${time}`);
  await pool.query('DROP SCHEMA IF EXISTS cap CASCADE');
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
