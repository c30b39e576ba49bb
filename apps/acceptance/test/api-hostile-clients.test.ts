import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { opened, readPeakMemoryMb, someOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { storeMasterData, structureVersion } from './support/master-data.js';
import { LIST } from './support/production-times.js';
import { openTestApi } from './support/test-api.js';

/** What the API may take, over all attacks together. */
const MOST_MEMORY_MB = 200;
/** Behind a thousand connections that are opened in one instant, on a machine under load. */
const PROBE_DEADLINE_MS = 40_000;
/** How long the answers wait for their clients. */
const HELD_MS = 2_000;

interface Attack {
  readonly what: string;
  readonly connections: number;
  readonly repeat: number;
  readonly target: string;
  readonly headers?: string;
  readonly hasToken?: boolean;
}

const attacks: readonly Attack[] = [
  { what: 'hold 2,500 connections without a request', connections: 2_500, repeat: 0, target: '' },
  { what: 'pipeline a document and read nothing', connections: 620, repeat: 400, target: '/openapi.json' },
  {
    what: 'pipeline the largest document in every encoding',
    connections: 300,
    repeat: 100,
    target: '/docs/errors',
    headers: 'Accept-Encoding: br\r\n',
  },
  {
    what: 'pipeline pages',
    connections: 300,
    repeat: 40,
    target: `${LIST}?$format=html&$top=80`,
    hasToken: true,
  },
  {
    what: 'pipeline compressed streams',
    connections: 400,
    repeat: 40,
    target: `${LIST}?$format=jsonstream&$top=80`,
    headers: 'Accept-Encoding: gzip\r\n',
    hasToken: true,
  },
  { what: 'pipeline errors', connections: 300, repeat: 1_500, target: '/no' },
  { what: 'pipeline errors as pages', connections: 300, repeat: 400, target: '/no?$format=html' },
];

/** Sends the requests and takes nothing of the answers. */
function openHostile(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  // What the service thinks of it may end the connection at any time.
  socket.on('error', () => undefined);
  socket.once('connect', () => socket.write(text));
  return socket;
}

describe('the API whose clients take no answers', function () {
  this.timeout(180_000);
  const service = opened(() => openTestApi({ companies: ['TEM-NO'] }));
  let idleMb: number;

  before(async () => {
    await storeMasterData(
      service,
      Array.from({ length: 100 }, (_, index) => structureVersion('TEM-NO', 1 + index)),
    );
    await service.client.get(LIST);
    idleMb = peakMb();
  });

  const peakMb = () => Math.round(readPeakMemoryMb(service.api.pid));

  /** On a connection of its own, as supervisors ask; gives how long it took, in milliseconds. */
  async function probe(): Promise<number> {
    const startedAt = performance.now();
    const answer = await fetch(`${service.api.origin}/health/live`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(PROBE_DEADLINE_MS),
    });
    expect(await answer.text()).to.equal('live\n');
    return Math.round(performance.now() - startedAt);
  }

  for (const { what, connections, repeat, target, headers = '', hasToken = false } of someOf(attacks, 2)) {
    it(`takes less than ${MOST_MEMORY_MB} MB and answers a probe while they ${what}`, async () => {
      const port = Number(new URL(service.api.origin).port);
      const authorization = hasToken ? `Authorization: Bearer ${service.token}\r\n` : '';
      const request = `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}${authorization}\r\n`;
      const sockets = new Set<Socket>();
      let probeMs = 0;
      try {
        for (let count = 0; count < connections; count += 1) {
          sockets.add(openHostile(port, request.repeat(repeat)));
        }
        // Behind all of these.
        probeMs = await probe();
        await delay(HELD_MS);
        probeMs = Math.max(probeMs, await probe());
      } finally {
        for (const socket of sockets) socket.destroy();
      }
      console.info(`      ${idleMb} MB idle, ${peakMb()} MB at most, probes took ${probeMs} ms at most`);
      expect(peakMb()).to.be.lessThan(MOST_MEMORY_MB);
    });
  }

  it('serves as ever after that', async () => {
    await waitUntil(
      'a page is served',
      async () => (await service.client.get(LIST)).status === 200,
      PROBE_DEADLINE_MS,
      100,
    );
    expect(service.api.runs()).to.equal(true);
    // On a slow machine some answers are late, and say so; nothing else may fail.
    const failures = service.api
      .output()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line));
    expect(failures.filter((line) => !line.includes('"msg":"request"'))).to.deep.equal([]);
  });
});
