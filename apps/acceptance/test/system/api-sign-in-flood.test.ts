import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createApiClient, createUser } from '@takt/access';
import { shareOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type { FloodOrder, FloodOutcome } from '../support/flood-sign-ins.js';
import { storeMasterData, structureVersion } from '../support/master-data.js';
import { LIST } from '../support/production-times.js';
import { openTestApi, type TestApi } from '../support/test-api.js';

const PERSON = { pid: 4711, password: 'correct horse battery' };
/** Local address of the other clients. It differs from 127.0.0.1, the address of the flood. */
const OTHERS = '127.0.0.2';
const FLOOD_PER_SECOND = 500;
const READS_PER_SECOND = 50;
const PHASE_MS = 2_000;
const ROUNDS = shareOf(4);
/** Maximum time in ms that a sign-in waits until it is checked. */
const MAX_WAIT_MS = 2_000;

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly durationMs: number;
}

describe('500 failed sign-ins a second from one address', function () {
  this.timeout(180_000);
  let service: TestApi;
  let clientId: number;
  const agent = new Agent({ keepAlive: true, maxSockets: 8, localAddress: OTHERS });

  before(async () => {
    service = await openTestApi({ companies: ['TEM-NO'] });
    const versions = Array.from({ length: 50 }, (_, index) => structureVersion('TEM-NO', 1 + index));
    await storeMasterData(service, versions);
    const known = { name: 'Line display', isPublic: true, permissions: ['production-times'] };
    ({ clientId } = await createApiClient(service.database, known));
    await createUser(service.database, {
      ...PERSON,
      name: 'Larsen',
      companyCodes: ['TEM-NO'],
      roles: ['planner'],
    });
  });
  after(async () => {
    agent.destroy();
    await service?.close();
  });

  function send(path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Answered> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const options = { agent, method: body === undefined ? 'GET' : 'POST', headers };
      const sent = request(new URL(path, service.api.origin), options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.on('error', reject).on('end', () => {
          const { statusCode: status = 0 } = answer;
          resolve({ status, text, durationMs: performance.now() - startedAt });
        });
      });
      sent.on('error', reject).end(body);
    });
  }

  /**
   * Reads like the other clients for the duration of one phase. Returns all statuses, and the 99th percentile of the
   * durations in ms.
   */
  async function readAsOthers(): Promise<{ readonly statuses: readonly number[]; readonly p99Ms: number }> {
    const sent: Promise<Answered>[] = [];
    const endsAt = performance.now() + PHASE_MS;
    while (performance.now() < endsAt) {
      sent.push(send(`${LIST}?$top=10`, { Authorization: `Bearer ${service.token}` }));
      await delay(1_000 / READS_PER_SECOND);
    }
    const answers = await Promise.all(sent);
    const sorted = answers.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other);
    return {
      statuses: answers.map(({ status }) => status),
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    };
  }

  function flood(): Promise<FloodOutcome> {
    const order = { origin: service.api.origin, clientId, perSecond: FLOOD_PER_SECOND, durationMs: PHASE_MS };
    const workerData: FloodOrder = order;
    const worker = new Worker(new URL('../support/flood-sign-ins.js', import.meta.url), { workerData });
    return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  }

  // The test only prints by how much the flood slows down other clients, because this depends on the machine. It limits
  // the number of sign-ins that the API checks. A check takes a tenth of a second of one core; a rejection takes almost
  // nothing.
  it('are mostly rejected before they cost processor time, while other clients still get answers', async () => {
    const errors: Record<string, number> = {};
    const shown: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const quiet = await readAsOthers();
      const [flooded, outcome] = await Promise.all([readAsOthers(), flood()]);
      expect(flooded.statuses.filter((status) => status !== 200)).to.deep.equal([]);
      shown.push(`${Math.round(quiet.p99Ms)} / ${Math.round(flooded.p99Ms)}`);
      for (const [error, count] of Object.entries(outcome)) errors[error] = (errors[error] ?? 0) + count;
    }
    process.stdout.write(`      p99 quiet / flooded, ms: ${shown.join(', ')}; ${JSON.stringify(errors)}\n`);
    // The API checks one sign-in at a time, and each check takes at least a tenth of a second.
    expect(errors['invalid_grant']).to.be.within(1, (ROUNDS * (PHASE_MS + MAX_WAIT_MS)) / 100);
    // A busy machine may reject some sign-ins because of overload.
    for (const error of Object.keys(errors)) expect(error).to.be.oneOf(['invalid_grant', 'slow_down', '500']);
    // Compares with the number of sent sign-ins, because a busy machine sends fewer than planned.
    const sent = Object.values(errors).reduce((sum, count) => sum + count, 0);
    expect(errors['slow_down']).to.be.above(sent / 2);
  });

  it('do not prevent a client at another address from signing in', async () => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = `grant_type=password&client_id=${clientId}&username=${PERSON.pid}&password=${PERSON.password}`;
    const flooding = flood();
    const signIn = () => send('/oauth2/access_token', type, body.replaceAll(' ', '+'));
    await waitUntil('they are signed in', async () => (await signIn()).status === 200);
    await flooding;
  });
});
