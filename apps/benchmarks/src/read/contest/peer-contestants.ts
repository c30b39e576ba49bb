import type { ServedSize } from '../filled-size.js';
import { checkPeers } from './check-peers.js';
import type { Contestant } from './contestant.js';
import { fillCapTable } from './fill-cap-table.js';
import { findDeepPages } from './find-deep-pages.js';
import { type LoadRequest, runHttpLoad } from './http-load.js';
import type { LoadOptions } from './our-contestants.js';
import {
  FIRST_PAGES,
  makeFilteredPages,
  type PeerName,
  type PeerQuestion,
  pathOf,
} from './peer-questions.js';
import { installPeers, type Peer, startPeer } from './start-peers.js';

export interface PeerContest {
  readonly contestants: readonly Contestant[];
  /** Which page the deep one is. */
  readonly deepPage: number;
  readonly close: () => Promise<void>;
}

/** The same pages asked of our API, of a handler made by hand and of CAP, all with as many connections to PostgreSQL. */
export async function openPeerContest(
  size: ServedSize,
  options: LoadOptions,
  say: (line: string) => void,
): Promise<PeerContest> {
  await installPeers(say);
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
