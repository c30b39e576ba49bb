import { expect } from 'chai';
import {
  bytesOf,
  type EventJob,
  type EventQueue,
  type EventWorker,
  MAX_JOB_BYTES,
  openQueueBackend,
  oversizedBytes,
  type QueueBackend,
} from '../src/internal.js';
import { boundPostgresRead } from '../src/queue/bounded-reads.js';
import { queueStores, type TestStore } from './support/queue-stores.js';

const TOKEN = 'a-token';
/** The size of a job without its text, in bytes: two quotes, and the options that BullMQ writes for every job. */
const BESIDE_TEXT_BYTES = 200;

for (const { name, start } of queueStores) {
  describe(`an oversized job on ${name}`, function () {
    this.timeout(180_000);
    let store: TestStore;
    let backend: QueueBackend;
    let queue: EventQueue;
    let worker: EventWorker;

    before(async function () {
      store = await start(this);
      backend = await openQueueBackend(store.url, { onError: () => undefined });
      queue = backend.openQueue('reference-data');
      worker = backend.openWorker('reference-data', null);
    });
    after(async () => {
      await backend?.close();
      await store?.close();
    });
    afterEach(async () => {
      await queue.drain();
      for (const state of ['failed', 'completed'] as const) await queue.clean(0, 0, state);
    });

    const claim = async (): Promise<EventJob> => {
      const job = await worker.getNextJob(TOKEN, { block: false });
      if (job === undefined) throw new Error('no job was there to be claimed');
      return job;
    };
    const sizeOf = (job: EventJob | undefined) => oversizedBytes(job?.data) ?? 0;

    it('is claimed without its data, and is listed without them after it has failed', async () => {
      await queue.add('huge', 'x'.repeat(MAX_JOB_BYTES), { jobId: 'huge', removeOnFail: false });
      const job = await claim();
      expect(job).to.include({ id: 'huge', name: 'huge', attemptsStarted: 1 });
      expect(sizeOf(job)).to.be.within(MAX_JOB_BYTES, MAX_JOB_BYTES + 1_000);
      await job.moveToFailed(new Error('too large'), TOKEN, false);
      const [listed] = await queue.getFailed();
      for (const read of [listed, await queue.getJob('huge')]) {
        expect(read).to.include({ id: 'huge', failedReason: 'too large' });
        expect(sizeOf(read)).to.equal(sizeOf(job));
      }
      // The job still has its data, so a retry lets a worker claim the job with its full size.
      await listed?.retry('failed');
      expect(sizeOf(await claim())).to.be.closeTo(sizeOf(job), 100);
      await listed?.moveToCompleted(null, TOKEN, false);
    });

    it('is claimed without its data, even if the completion of another job claims it', async () => {
      await queue.add('small', 1);
      await queue.add('huge', 'x'.repeat(MAX_JOB_BYTES));
      const job = await claim();
      const [next] = (await job.moveToCompleted(null, TOKEN, true)) ?? [];
      expect(next.name).to.equal('huge');
      expect(next.data.length).to.be.lessThan(100);
      await queue.getJob(next.id).then((huge) => huge?.moveToCompleted(null, TOKEN, false));
    });

    it('can be too large because of its options or its name', async () => {
      await queue.add('options', 1, { backoff: { type: 'x'.repeat(MAX_JOB_BYTES) } });
      const job = await claim();
      expect(sizeOf(job)).to.be.above(MAX_JOB_BYTES);
      expect(JSON.stringify(job.opts).length).to.be.lessThan(1_000);
      await job.moveToCompleted(null, TOKEN, false);
    });

    it('exceeds the limit by at least one byte', async () => {
      const text = 'x'.repeat(MAX_JOB_BYTES - BESIDE_TEXT_BYTES);
      await queue.add('large', text);
      const job = await claim();
      expect(job.data).to.equal(text);
      expect(bytesOf(job)).to.equal(text.length + 2);
      await job.moveToCompleted(null, TOKEN, false);
    });

    it('does not affect the jobs before and after it', async () => {
      const opts = { jobId: 'whole', attempts: 3, priority: 7, removeOnFail: false, backoff: 5 };
      const data = { a: [1, { b: 'é' }], c: null };
      const added = await queue.add('a name', data, opts);
      const job = await claim();
      expect(job).to.deep.include({ id: 'whole', name: 'a name', data, attemptsMade: 0, attemptsStarted: 1 });
      expect(job).to.include({ timestamp: added.timestamp, priority: 7, stalledCounter: 0 });
      expect(job.opts).to.include({ attempts: 3, priority: 7 });
      await job.updateProgress(40);
      await job.moveToFailed(Object.assign(new Error('no'), { name: 'UnrecoverableError' }), TOKEN, false);
      const read = await queue.getJob('whole');
      expect(read).to.deep.include({ data, progress: 40, failedReason: 'no', attemptsMade: 1 });
      expect(read?.finishedOn).to.be.closeTo(Date.now(), 60_000);
      expect(read?.processedOn).to.be.closeTo(Date.now(), 60_000);
      expect(read?.stacktrace).to.have.lengthOf(1);
    });
  });
}

describe('a statement that BullMQ sends to PostgreSQL', () => {
  it('is rejected if it reads jobs in an unknown way', () => {
    const unknown = [
      'SELECT * FROM take_next($1);',
      'SELECT j.*, 1 FROM job j',
      'UPDATE job SET state = $1 RETURNING *',
    ];
    for (const statement of unknown) {
      expect(() => boundPostgresRead(statement), statement).to.throw(
        'does not read jobs in the expected way',
      );
    }
    const counts = "SELECT count(*) FILTER (WHERE state = 'failed') FROM job";
    expect(boundPostgresRead(counts)).to.equal(counts);
    expect(boundPostgresRead('SELECT * FROM move_to_active($1);')).to.include('CASE WHEN bytes >');
  });
});
