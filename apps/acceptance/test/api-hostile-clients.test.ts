import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { readPeakMemoryMb, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { storeMasterData, structureVersion } from './support/master-data.js';
import { LIST } from './support/production-times.js';
import { openTestApi, type TestApi } from './support/test-api.js';

/** Resident memory of the API at its highest. */
const MAX_MEMORY_MB = 200;
const PROBE_DEADLINE_MS = 10_000;

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
  { what: 'pipeline a document and read nothing', connections: 1_000, repeat: 400, target: '/openapi.json' },
  {
    what: 'pipeline the largest document in every encoding',
    connections: 300,
    repeat: 100,
    target: '/docs/swagger-ui-bundle.js',
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
    connections: 600,
    repeat: 40,
    target: `${LIST}?$format=jsonstream&$top=80`,
    headers: 'Accept-Encoding: gzip\r\n',
    hasToken: true,
  },
  { what: 'pipeline errors', connections: 500, repeat: 1_500, target: '/no' },
  { what: 'pipeline refusals of HTML', connections: 500, repeat: 400, target: '/no?$format=html' },
];

/** Sends the requests and takes nothing of the answers. */
function openHostile(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    // What the service thinks of it may end the connection at any time.
    socket.on('error', () => undefined);
    const settle = () => resolve(socket);
    socket.once('close', settle).once('connect', () => socket.write(text, settle));
  });
}

describe('the API whose clients take no answers', function () {
  this.timeout(120_000);
  let service: TestApi;

  before(async () => {
    service = await openTestApi({ companies: ['TEM-NO'] });
    await storeMasterData(
      service,
      Array.from({ length: 100 }, (_, index) => structureVersion('TEM-NO', 1 + index)),
    );
  });
  after(async () => await service?.close());

  const peakMb = () => Math.round(readPeakMemoryMb(service.api.pid));

  async function probe(): Promise<number> {
    const startedAt = performance.now();
    const answer = await fetch(`${service.api.origin}/health/live`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(PROBE_DEADLINE_MS),
    });
    expect(await answer.text()).to.equal('live\n');
    return performance.now() - startedAt;
  }

  for (const { what, connections, repeat, target, headers = '', hasToken = false } of attacks) {
    it(`lives in ${MAX_MEMORY_MB} MB and answers a probe while they ${what}`, async () => {
      const port = Number(new URL(service.api.origin).port);
      const authorization = hasToken ? `Authorization: Bearer ${service.token}\r\n` : '';
      const request = `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}${authorization}\r\n`;
      const before = peakMb();
      const sockets: Socket[] = [];
      let slowestMs = 0;
      try {
        const opening = Array.from({ length: connections }, async () => {
          sockets.push(await openHostile(port, request.repeat(repeat)));
        });
        const opened = Promise.all(opening);
        for (let round = 0; round < 20; round += 1) {
          slowestMs = Math.max(slowestMs, await probe());
          await delay(100);
        }
        await Promise.race([opened, delay(5_000)]);
        slowestMs = Math.max(slowestMs, await probe());
      } finally {
        for (const socket of sockets) socket.destroy();
      }
      console.info(
        `      ${before} MB before, ${peakMb()} MB at most, probes took ${Math.round(slowestMs)} ms`,
      );
      expect(peakMb()).to.be.lessThan(MAX_MEMORY_MB);
    });
  }

  it('serves as ever after that', async () => {
    await waitUntil('a page is served', async () => (await service.client.get(LIST)).status === 200);
    expect(service.api.runs()).to.equal(true);
    expect(service.api.output()).to.not.match(/"level":50/);
  });
});
