import { migrateQueueSchema, openPublisher, type Publisher } from '@takt/events';
import { addCompany } from '@takt/figures/master-data';
import {
  type Crowd,
  completion,
  createTestDatabase,
  exchange,
  openCrowd,
  readMemoryLimitMb,
  readPeakMemoryMb,
  request,
  startWorkerProcess,
  type TestDatabase,
  type WorkerProcess,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';

const PROBES = 40;
const SUPERVISOR = '127.0.0.2';
const PIPELINED_BYTES = 980_000;

describe('who reaches the port of the worker', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let worker: WorkerProcess;
  let publisher: Publisher;
  let port: number;
  let crowd: Crowd | undefined;
  let published = 0;

  before(async () => {
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
    await addCompany(test.database, 'TEM-NO', 'TEM-NO');
    publisher = await openPublisher(test.url);
  });
  beforeEach(async () => {
    const nodeArguments = [`--max-old-space-size=${readMemoryLimitMb('worker')}`];
    const environment = { LOG_LEVEL: 'info' };
    worker = await startWorkerProcess({
      databaseUrl: test.url,
      queueUrl: test.url,
      nodeArguments,
      environment,
    });
    port = Number(new URL(worker.origin).port);
  });
  afterEach(async () => {
    crowd?.leave();
    await worker.stop();
  });
  after(async () => {
    await publisher.close();
    await test.close();
  });

  /** A supervisor is answered, and an event that is published takes effect. */
  const expectAtWork = async () => {
    published += 1;
    await publisher.publish(completion(published));
    for (let probe = 0; probe < PROBES; probe += 1) {
      for (const target of ['/health/live', '/health/ready']) {
        const answer = await exchange(port, request(target), 'GET', SUPERVISOR);
        expect(answer.status, `${target}, ${probe}: ${answer.body}`).to.equal(200);
      }
    }
    await waitUntil('the event has taken effect', async () => {
      const { rows } = await test.database.pool.query(
        'SELECT 1 FROM takt.work_order_operations WHERE work_order_operation_id = $1',
        [published],
      );
      return rows.length === 1;
    });
    expect(worker.runs(), worker.output()).to.equal(true);
    expect(readPeakMemoryMb(worker.pid)).to.be.below(readMemoryLimitMb('worker'));
  };

  it('neither fills its memory nor holds up its health by pipelining /metrics', async () => {
    const ask = request('/metrics');
    const text = ask.repeat(PIPELINED_BYTES / 10 / ask.length);
    const takes = (index: number) => index % 2 === 0;
    const sent = await openCrowd(port, 10, () => text, takes);
    crowd = sent;
    await waitUntil('answers come', () => sent.received() > 0);
    await expectAtWork();
  });

  it('neither stops its work nor its health with 1,500 connections that ask for /metrics', async () => {
    const text = request('/metrics').repeat(20);
    crowd = await openCrowd(port, 1_500, () => text);
    await expectAtWork();
  });
});
