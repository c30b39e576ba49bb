import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { InvalidEventError, openPublisher, type Publisher, prepareEvent } from '../src/index.js';
import { type EventJob, type EventQueue, openQueueBackend, type QueueBackend } from '../src/internal.js';
import { queueStores, type TestStore } from './support/queue-stores.js';
import { rejectionOf } from './support/rejection-of.js';
import { completedEvent, productStructureVersionEvent, reopenedEvent } from './support/sample-events.js';

function completions(count: number, from = 1) {
  return Array.from({ length: count }, (_, index) => completedEvent({ workOrderOperationId: from + index }));
}

for (const { name, start } of queueStores) {
  describe(`the publisher on ${name}`, () => {
    let store: TestStore | undefined;
    let publisher: Publisher;
    let backend: QueueBackend;
    let operations: EventQueue;
    let referenceData: EventQueue;

    before(async function () {
      this.timeout(180_000);
      store = await start(this);
      const onError = (error: Error) => console.error(error);
      publisher = await openPublisher(store.url, { onError });
      backend = await openQueueBackend(store.url, { onError });
      operations = backend.openQueue('work-order-operations');
      referenceData = backend.openQueue('reference-data');
    });
    after(async () => {
      await publisher?.close();
      await backend?.close();
      await store?.close();
    });
    beforeEach(async () => {
      await operations.drain();
      await referenceData.drain();
      await operations.clean(0, 10_000, 'failed');
    });

    const waitingJobs = (queue: EventQueue): Promise<EventJob[]> => queue.getWaiting(0, -1);

    it('can add one job for each event, with the type as name and the unchanged event as data', async () => {
      const events = [completedEvent({ ignored: 1 }), productStructureVersionEvent(), reopenedEvent()];
      expect(await publisher.publish(events, { batchSize: 1 })).to.deep.equal({ events: 3, jobs: 3 });
      const jobs = await waitingJobs(operations);
      expect(jobs.map((job) => job.name)).to.have.members([
        'work-order-operation.completed.v1',
        'work-order-operation.reopened.v1',
      ]);
      expect(jobs.map((job) => job.data)).to.deep.include.members([events[0], events[2]]);
      const [other] = await waitingJobs(referenceData);
      expect(other?.name).to.equal('product-structure-version.changed.v1');
      expect(other?.data).to.deep.equal(events[1]);
    });

    it('accepts a single event, and adds jobs that are kept only if they fail', async () => {
      expect(await publisher.publish(completedEvent())).to.deep.equal({ events: 1, jobs: 1 });
      const [job] = await waitingJobs(operations);
      expect(job?.opts).to.include({ removeOnComplete: true, removeOnFail: false, attempts: 1 });
      expect(job?.id).to.match(/^e-[\w-]{22}$/);
    });

    it('adds jobs with the requested number of events to the queue of each type, in order', async () => {
      const events = [...completions(5), productStructureVersionEvent(), ...completions(2, 6)];
      expect(await publisher.publish(events, { batchSize: 3 })).to.deep.equal({ events: 8, jobs: 4 });
      const jobs = await waitingJobs(operations);
      const operation = (data: unknown) =>
        Array.isArray(data) ? data.map((one) => one.data.workOrderOperationId) : [];
      expect(jobs.map((job) => job.name)).to.deep.equal(['batch', 'batch', 'batch']);
      for (const { opts } of jobs) {
        expect(opts).to.include({ removeOnComplete: true, removeOnFail: false, attempts: 1 });
      }
      expect(jobs.map((job) => operation(job.data))).to.have.deep.members([[1, 2, 3], [4, 5, 6], [7]]);
      const [other] = await waitingJobs(referenceData);
      expect(other?.data).to.deep.equal([productStructureVersionEvent()]);
    });

    it('packs the events of concurrent calls into as few jobs as possible', async () => {
      const mixed = [...completions(2), productStructureVersionEvent(), reopenedEvent()];
      expect(await publisher.publish(mixed)).to.deep.equal({ events: 4, jobs: 2 });
      expect((await waitingJobs(operations)).map(({ data }) => data)).to.deep.equal([
        [mixed[0], mixed[1], mixed[3]],
      ]);
      expect((await waitingJobs(referenceData)).map(({ data }) => data)).to.deep.equal([mixed[2]]);
      await operations.drain();
      const many = completions(300, 10);
      await Promise.all(many.map((event) => publisher.publish(event)));
      const [job, ...others] = await waitingJobs(operations);
      expect(others).to.deep.equal([]);
      expect(job?.name).to.equal('batch');
      expect(job?.opts).to.include({ removeOnComplete: true, removeOnFail: false, attempts: 1 });
      expect(job?.data).to.deep.equal(many);
    });

    it('splits the events of one call into as few jobs as possible', async () => {
      expect(await publisher.publish(completions(2_500))).to.deep.equal({ events: 2_500, jobs: 3 });
      const sizes = (await waitingJobs(operations)).map(({ data }) => Object(data).length);
      expect(sizes).to.have.members([1_000, 1_000, 500]);
    });

    it('publishes prepared events like any other events', async () => {
      const events = [completedEvent({ ignored: 1 }), reopenedEvent()];
      const prepared = events.map(prepareEvent).flatMap((result) => (result.ok ? [result.prepared] : []));
      expect(await publisher.publishPrepared(prepared)).to.deep.equal({ events: 2, jobs: 1 });
      expect((await waitingJobs(operations)).map(({ data }) => data)).to.deep.equal([events]);
      expect(prepareEvent(completedEvent({ runTime: -1 })))
        .to.have.nested.property('problems[0].field')
        .that.equals('data.runTime');
    });

    it('can add more jobs than one call of BullMQ can contain', async () => {
      expect(await publisher.publish(completions(2_500), { batchSize: 1 })).to.deep.equal({
        events: 2_500,
        jobs: 2_500,
      });
      expect(await operations.getWaitingCount()).to.equal(2_500);
    });

    it('publishes no event of a call if one event is invalid, and reports that event with the reasons', async () => {
      const events = [...completions(2), completedEvent({ runTime: -1 }), completedEvent({ revision: 0 })];
      const error = await rejectionOf(publisher.publish(events));
      expect(error).to.be.instanceOf(InvalidEventError);
      expect(error).to.deep.include({ index: 2 });
      expect(String(error)).to.contain('event 2: data.runTime must be hours');
      expect(await operations.getWaitingCount()).to.equal(0);
    });

    it('does not duplicate an event that is still in the queue', async () => {
      await publisher.publish(completions(10), { batchSize: 5 });
      await publisher.publish(completions(10), { batchSize: 5 });
      await publisher.publish(completions(3), { batchSize: 1 });
      await publisher.publish(completions(3), { batchSize: 1 });
      await publisher.publish(completions(3));
      await publisher.publish(completions(3));
      expect(await operations.getWaitingCount()).to.equal(6);
    });

    it('does not publish a rejected event again, but publishes its correction', async () => {
      const worker = backend.openWorker('work-order-operations', async () => {
        throw new Error('rejected');
      });
      await publisher.publish(completedEvent());
      await waitUntil('the job fails', async () => (await operations.getFailedCount()) === 1);
      await worker.close();
      await publisher.publish(completedEvent());
      expect(await operations.getWaitingCount()).to.equal(0);
      await publisher.publish(completedEvent({ runTime: 3 }));
      expect(await operations.getWaitingCount()).to.equal(1);
    });

    it('waits while the queue is too full, and continues when the queue has room again', async () => {
      const careful = await openPublisher(store?.url ?? '', { maxWaitingJobs: 5, roomPollMs: 20 });
      try {
        await careful.publish(completions(6), { batchSize: 1 });
        let isDone = false;
        const publishing = careful.publish(completions(1, 100)).then(() => {
          isDone = true;
        });
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(isDone).to.equal(false);
        await operations.drain();
        await publishing;
        expect(await operations.getWaitingCount()).to.equal(1);
      } finally {
        await careful.close();
      }
    });

    it('gives up if the queue stays too full, whether its jobs are waiting, have a priority or are delayed', async () => {
      const hasty = await openPublisher(store?.url ?? '', {
        maxWaitingJobs: 1,
        roomPollMs: 20,
        roomDeadlineMs: 200,
      });
      try {
        for (const options of [{}, { priority: 2 }, { delay: 1_000_000 }]) {
          await operations.add('event', completedEvent(), options);
          const error = await rejectionOf(hasty.publish(completions(1, 2)));
          expect(String(error)).to.equal(
            'DeadlineExceededError: waiting for room in the queue work-order-operations took longer than 200 ms',
          );
          await operations.drain(true);
        }
      } finally {
        await hasty.close();
      }
    });

    it('accepts nothing after it was closed, but publishes everything that it accepted before', async () => {
      const closed = await openPublisher(store?.url ?? '');
      const publishing = closed.publish(completions(1_500), { batchSize: 1 });
      const gathered = closed.publish(completions(2, 2_000));
      await closed.close();
      await closed.close();
      expect(await publishing).to.deep.equal({ events: 1_500, jobs: 1_500 });
      expect(await gathered).to.deep.equal({ events: 2, jobs: 1 });
      expect(String(await rejectionOf(closed.publish(completedEvent())))).to.contain('closed');
    });

    it('rejects a batch size that a worker would reject', async () => {
      for (const batchSize of [0, 1_001, 1.5, Number.NaN]) {
        expect(await rejectionOf(publisher.publish(completions(1), { batchSize }))).to.be.instanceOf(
          RangeError,
        );
      }
      expect(await publisher.publish(completions(1_000), { batchSize: 1_000 })).to.deep.equal({
        events: 1_000,
        jobs: 1,
      });
    });

    it('stores everything that it accepts, even deep nesting, unusual characters and extreme numbers', async () => {
      const nested: unknown = JSON.parse(`${'['.repeat(498)}${']'.repeat(498)}`);
      const characters = Array.from({ length: 0xfff }, (_, index) => String.fromCharCode(index + 1)).join('');
      const event = completedEvent({ nested, characters, runTime: 5e-324, pair: '😀', 'a\n"\\': 1e308 });
      await publisher.publish([event], { batchSize: 10 });
      const [job] = await waitingJobs(operations);
      expect(job?.data).to.deep.equal([event]);
    });

    it('publishes nothing for an empty array', async () => {
      expect(await publisher.publish([])).to.deep.equal({ events: 0, jobs: 0 });
    });
  });
}
