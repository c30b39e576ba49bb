import { get } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createAccessToken } from '@takt/access';
import { type AppProcess, createTestDatabase, startApp, type TestDatabase } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import {
  completion,
  fetchMemoryBytes,
  openConnection,
  type RawConnection,
  readPeakMemoryMb,
  request,
  someOf,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';

/**
 * The maximum memory in MB that the intake may use during all attacks. Compose and Kubernetes allow 320 MB. The
 * measured maximum was 218 MB on Node.js 20 and 262 MB on Node.js 24. The intake uses 95 MB on Node.js 24 without
 * requests. V8 13 keeps 21 MB of freed pages, and collects buffers later.
 */
const MOST_MB = Number(process.versions.node.split('.')[0]) < 22 ? 250 : 290;
/** The timeout of a probe in Kubernetes. A busy machine may need almost as long. */
const PROBE_MS = 5_000;
/** The number of attackers. Half as many crashed the intake before it counted the values in bodies. */
const ATTACKERS = 32;
const SENDERS = 50;
const BODY_BYTES = 4_900_000;

/** Returns a body of 1,000 events of 4.9 KB each. The events have fields that the contract does not know. */
function largeBody(first: number): string {
  const note = 'n'.repeat(BODY_BYTES / 1_000 - 420);
  const events = Array.from({ length: 1_000 }, (_, index) => completion(first + index, { note }));
  return JSON.stringify(events);
}

/** Returns an array that repeats a unit until it has this number of bytes. */
const arrayOf = (unit: string, bytes: number) =>
  `[${unit}${`,${unit}`.repeat(bytes / (unit.length + 1) - 1)}]`;

/** Returns a valid event with these extensions. */
const extendedBy = (extensions: string) => `${JSON.stringify(completion(1)).slice(0, -1)},${extensions}}`;

const attributes = (count: number) => Array.from({ length: count }, (_, index) => `"a${index}":1`).join(',');

const ATTACKS: Readonly<Record<string, string>> = {
  'arrays that are never closed': '['.repeat(4_990_000),
  'an extension of empty arrays': extendedBy(`"x":${arrayOf('[]', BODY_BYTES)}`),
  'an extension of empty objects': extendedBy(`"x":${arrayOf('{}', BODY_BYTES)}`),
  '400,000 attributes of one event': extendedBy(attributes(400_000)),
  '400,000 attributes of four events': arrayOf(extendedBy(attributes(100_000)), BODY_BYTES),
  'more empty events than may be': arrayOf('{}', BODY_BYTES),
  'events as full as they may be': arrayOf(extendedBy(`"x":${arrayOf('{}', 2_900)}`), 320_000),
  'events of which each breaks every rule': arrayOf('{}', 3_000),
  'an escaped text without end': extendedBy(`"x":"${'\\\\'.repeat(2_400_000)}\\u0000"`),
};

describe('the memory of the intake', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let intake: AppProcess;
  let token = '';
  before(async () => {
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
    await addCompany(test.database, 'TEM-NO', 'TEM-NO');
    const request = { companyCodes: ['TEM-NO'], expiresInMs: 3_600_000, mayPublish: true };
    token = (await createAccessToken(test.database, request)).token;
    intake = await startApp('intake', { databaseUrl: test.url, queueUrl: test.url });
  });
  after(async () => {
    console.info(`      peak memory of the intake: ${Math.round(readPeakMemoryMb(intake.pid))} MB`);
    await intake.stop();
    await test.close();
  });

  const send = async (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${intake.origin}/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  };

  /**
   * Sends a body. On a busy machine the intake may refuse the connection with 500, and close it before the whole body
   * has arrived.
   */
  const sendOrBeCutOff = (body: string) =>
    send(body).catch((error: { readonly cause?: { readonly code?: string } }) => {
      expect(error.cause?.code, String(error)).to.be.oneOf(['EPIPE', 'ECONNRESET']);
      return { status: 500, text: 'cut off' };
    });

  it('stays limited while many clients send large bodies at once', async () => {
    const bodies = Array.from({ length: SENDERS }, (_, sender) => largeBody(1 + sender * 1_000));
    const answers = await Promise.all(bodies.map((body) => sendOrBeCutOff(body)));
    for (const { status, text } of answers) expect(status, text.slice(0, 200)).to.be.oneOf([202, 500]);
    const [first = ''] = bodies;
    await waitUntil('one alone is taken', async () => (await send(first)).status === 202, 60_000);
    expect(readPeakMemoryMb(intake.pid)).to.be.below(MOST_MB);
  });

  for (const [what, text] of someOf(Object.entries(ATTACKS), 3)) {
    it(`stays limited during ${what} with gzip, while the intake answers probes from other addresses`, async () => {
      const body = gzipSync(text);
      const attack = Promise.all(
        Array.from({ length: ATTACKERS }, () => send(body, { 'Content-Encoding': 'gzip' })),
      );
      let isOver = false;
      void attack.finally(() => {
        isOver = true;
      });
      while (!isOver) expect(await probe(new URL(intake.origin).port)).to.equal(200);
      for (const { status, text } of await attack)
        expect(status, text.slice(0, 200)).to.be.oneOf([202, 400, 500]);
      expect(readPeakMemoryMb(intake.pid)).to.be.below(MOST_MB);
    });
  }

  it('no longer contains the body of a request after the answer, even on an open connection', async () => {
    const port = Number(new URL(intake.origin).port);
    const body = 'x'.repeat(4_000_000);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const kept: RawConnection[] = [];
    for (let sender = 0; sender < SENDERS; sender += 1) {
      const connection = await openConnection(port);
      kept.push(connection);
      connection.send(
        request('/events', { ...headers, 'Content-Length': String(body.length) }, 'POST') + body,
      );
      expect((await connection.answer()).status).to.be.oneOf([400, 500]);
    }
    expect(readPeakMemoryMb(intake.pid)).to.be.below(MOST_MB);
    for (const connection of kept) connection.destroy();
  });

  it('stays limited during gzip bombs and incomplete bodies', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, '['));
    const answers = await Promise.all(
      Array.from({ length: 2 * SENDERS }, () => send(bomb, { 'Content-Encoding': 'gzip' })),
    );
    for (const { status } of answers) expect(status).to.be.oneOf([400, 500]);
    const port = Number(new URL(intake.origin).port);
    const slow = await Promise.all(Array.from({ length: 4 * SENDERS }, () => openConnection(port)));
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const text =
      request('/events', { ...headers, 'Content-Length': '4900000' }, 'POST') + '['.repeat(4_000_000);
    for (const connection of slow) connection.send(text);
    await waitUntil('others are answered', async () => {
      const { status } = await send(JSON.stringify(completion(1)));
      return status === 202;
    });
    for (const connection of slow) connection.destroy();
    expect(await fetchMemoryBytes(`${intake.origin}/metrics`)).to.be.below(MOST_MB * 1_048_576);
    expect(readPeakMemoryMb(intake.pid)).to.be.below(MOST_MB);
  });
});

/** Returns the status of a liveness probe from another address. Rejects after the deadline. */
function probe(port: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const probing = get(
      { host: '127.0.0.1', localAddress: '127.0.0.2', port, path: '/health/live', agent: false },
      (answer) => answer.resume().on('end', () => resolve(answer.statusCode)),
    );
    probing.setTimeout(PROBE_MS, () => probing.destroy(new Error(`no answer within ${PROBE_MS} ms`)));
    probing.on('error', reject);
  });
}
