import { migrateQueueSchema } from '@takt/events';
import {
  type Crowd,
  createTestDatabase,
  type DashboardProcess,
  exchange,
  openCrowd,
  opened,
  readMemoryLimitMb,
  readPeakMemoryMb,
  request,
  startDashboardProcess,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';

const PROBES = 40;
const OPERATOR = '127.0.0.2';

describe('a stranger who is not signed in to the dashboard', function () {
  this.timeout(180_000);
  const test = opened(createTestDatabase);
  let dashboard: DashboardProcess;
  let port: number;
  let crowd: Crowd | undefined;

  before(async () => {
    await migrateQueueSchema(test.url);
  });
  beforeEach(async () => {
    dashboard = await startDashboardProcess({
      ...{ databaseUrl: test.url, queueUrl: test.url, logLevel: 'warn' },
    });
    port = Number(new URL(dashboard.origin).port);
  });
  afterEach(async () => {
    crowd?.leave();
    await dashboard.stop();
  });

  /** Everything that an operator and a supervisor ask for meanwhile, from an address of their own. */
  const expectAllAnswered = async () => {
    for (let probe = 0; probe < PROBES; probe += 1) {
      for (const target of ['/health/live', '/health/ready', '/sign-in']) {
        const answer = await exchange(port, request(target), 'GET', OPERATOR);
        expect(answer.status, `${target}, ${probe}: ${answer.body}`).to.equal(200);
      }
    }
  };
  const expectFit = () => {
    expect(dashboard.runs(), dashboard.output()).to.equal(true);
    expect(readPeakMemoryMb(dashboard.pid)).to.be.below(readMemoryLimitMb('dashboard'));
  };

  it('does not end it by pipelining, and holds up nobody: ten connections with 3,000 requests each', async () => {
    const text = request('/').repeat(3_000);
    const takes = (index: number) => index % 2 === 0;
    const sent = await openCrowd(port, 10, () => text, takes);
    crowd = sent;
    await waitUntil('answers come', () => sent.received() > 0 || !dashboard.runs());
    await expectAllAnswered();
    expectFit();
  });

  it('shuts nobody out with 500 connections that idle or send their headers slowly', async () => {
    const ask = request('/sign-in');
    crowd = await openCrowd(port, 500, (index) => ['', ask, ask.slice(0, 30)][index % 3] ?? '');
    await expectAllAnswered();
    expectFit();
  });
});
